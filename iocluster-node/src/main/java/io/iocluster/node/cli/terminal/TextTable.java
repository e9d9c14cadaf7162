package io.iocluster.node.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of text in columns. Escapes every cell. Confined to one thread. */
public final class TextTable {

    private static final int MAX_CELL = 100;
    private static final int MIN_FIRST_CELL = 16;
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final boolean[] numeric;

    /** @param columns the titles; one that begins with {@code >} is aligned to the right, for numbers */
    public TextTable(String... columns) {
        numeric = new boolean[columns.length];
        String[] titles = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
            numeric[i] = columns[i].startsWith(">");
            titles[i] = numeric[i] ? columns[i].substring(1) : columns[i];
        }
        rows.add(titles);
    }

    /** Adds a row, which has one cell for each column. */
    public TextTable add(Object... cells) {
        if (cells.length != numeric.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + numeric.length + " columns");
        }
        rows.add(Arrays.stream(cells)
                .map(cell -> PrintableText.escape(String.valueOf(cell), MAX_CELL))
                .toArray(String[]::new));
        return this;
    }

    /** Returns the titles and the rows. */
    public List<String> lines() {
        return lines(Integer.MAX_VALUE);
    }

    /**
     * Returns the titles and the rows in lines of at most this many characters.
     *
     * @param leastImportant titles of columns that are left out if the lines would be longer, the first one first. If that is not
     *     enough, the cells of the first column are truncated to {@value #MIN_FIRST_CELL} characters or more
     */
    public List<String> lines(int maxLength, String... leastImportant) {
        int[] widths = new int[numeric.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        List<String> titles = List.of(rows.get(0));
        for (int i = 0; i < leastImportant.length && length(widths) > maxLength; i++) {
            widths[titles.indexOf(leastImportant[i])] = 0;
        }
        widths[0] = Math.max(Math.min(widths[0], MIN_FIRST_CELL), widths[0] - Math.max(0, length(widths) - maxLength));
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    /** Returns the length of a line with columns of these widths; a width of 0 leaves the column out. */
    private static int length(int[] widths) {
        int length = -GAP.length();
        for (int width : widths) {
            length += width == 0 ? 0 : width + GAP.length();
        }
        return length;
    }

    private String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            if (widths[i] > 0) {
                String cell = row[i].length() <= widths[i] ? row[i] : row[i].substring(0, widths[i] - 1) + "…";
                String padding = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? "" : GAP).append(numeric[i] ? padding + cell : cell + padding);
            }
        }
        return line.toString().stripTrailing();
    }
}
