package io.iocluster.lab.load.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of texts. Every cell is escaped. Confined to one thread. */
public final class HtmlTable {

    private final String[] titles;
    private final boolean[] numeric;
    private final List<Row> rows = new ArrayList<>();

    /** How a row is marked. */
    public enum Mark {
        NONE,
        GOOD,
        WARN,
        BAD
    }

    private record Row(Mark mark, Object[] cells) {}

    /** @param titles one that begins with {@code >} is aligned to the right, for numbers */
    public HtmlTable(String... titles) {
        this.titles = new String[titles.length];
        this.numeric = new boolean[titles.length];
        for (int i = 0; i < titles.length; i++) {
            numeric[i] = titles[i].startsWith(">");
            this.titles[i] = numeric[i] ? titles[i].substring(1) : titles[i];
        }
    }

    /** Adds a row, which has one cell for each title. */
    public HtmlTable add(Object... cells) {
        return add(Mark.NONE, cells);
    }

    /** Adds a row with a mark on its first cell. */
    public HtmlTable add(Mark mark, Object... cells) {
        if (cells.length != titles.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + titles.length + " columns");
        }
        rows.add(new Row(mark, cells.clone()));
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    void write(StringBuilder html) {
        html.append("<div class=\"scroll\"><table><thead><tr>");
        for (int i = 0; i < titles.length; i++) {
            html.append(numeric[i] ? "<th class=\"number\">" : "<th>")
                    .append(HtmlText.escape(titles[i]))
                    .append("</th>");
        }
        html.append("</tr></thead><tbody>\n");
        for (Row row : rows) {
            html.append("<tr>");
            for (int i = 0; i < titles.length; i++) {
                String css = (numeric[i] ? "number " : "")
                        + (i == 0 && row.mark != Mark.NONE
                                ? "mark " + row.mark.name().toLowerCase(Locale.ROOT)
                                : "");
                html.append(css.isEmpty() ? "<td>" : "<td class=\"" + css.strip() + "\">")
                        .append(HtmlText.escape(String.valueOf(row.cells[i])))
                        .append("</td>");
            }
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n");
    }
}
