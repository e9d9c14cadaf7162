package io.iocluster.lab.load.data;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** The rows of a feeder. Immutable. */
interface Rows {

    /** Returns the names of the fields. */
    List<String> fields();

    /** Returns the number of rows, at least 1. */
    long count();

    /** Returns the value of a field, by the index in {@link #fields}. */
    String value(long row, int field);

    /** Rows in memory. */
    record Table(List<String> fields, List<String[]> rows) implements Rows {

        @Override
        public long count() {
            return rows.size();
        }

        @Override
        public String value(long row, int field) {
            return rows.get((int) row)[field];
        }
    }

    /** Each value of a field with each value of the others. The last field changes fastest. */
    record Combinations(List<String> fields, List<List<String>> values) implements Rows {

        /** Returns the combinations of the distinct values in each column of a table. */
        static Combinations of(Table table) {
            List<List<String>> values = new ArrayList<>();
            for (int field = 0; field < table.fields.size(); field++) {
                LinkedHashSet<String> distinct = new LinkedHashSet<>();
                for (String[] row : table.rows) {
                    distinct.add(row[field]);
                }
                values.add(List.copyOf(distinct));
            }
            return new Combinations(table.fields, values);
        }

        @Override
        public long count() {
            return values.stream().mapToLong(List::size).reduce(1, Math::multiplyExact);
        }

        @Override
        public String value(long row, int field) {
            long rest = row;
            for (int later = values.size() - 1; later > field; later--) {
                rest /= values.get(later).size();
            }
            List<String> own = values.get(field);
            return own.get((int) (rest % own.size()));
        }
    }
}
