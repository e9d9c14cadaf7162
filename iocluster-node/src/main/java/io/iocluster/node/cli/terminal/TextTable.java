package io.iocluster.node.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of text in columns. Escapes every cell. Confined to one thread. */
public final class TextTable {

    private static final int MAX_CELL = 100;

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
        int[] widths = new int[numeric.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            String padding = " ".repeat(widths[i] - row[i].length());
            line.append(i == 0 ? "" : "  ").append(numeric[i] ? padding + row[i] : row[i] + padding);
        }
        return line.toString().stripTrailing();
    }
}
