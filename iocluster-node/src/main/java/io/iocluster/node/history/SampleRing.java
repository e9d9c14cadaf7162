package io.iocluster.node.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * The latest samples of some figures: a fixed number of rows, of which a new one replaces the oldest. All memory is allocated at the
 * start. Thread-safe.
 */
final class SampleRing {

    private final int capacity;
    private final int columns;

    @GuardedBy("this")
    private final long[] times;

    /** Row by row. */
    @GuardedBy("this")
    private final float[] values;

    /** Rows added since the start. */
    @GuardedBy("this")
    private long added;

    SampleRing(int capacity, int columns) {
        this.capacity = capacity;
        this.columns = columns;
        this.times = new long[capacity];
        this.values = new float[capacity * columns];
    }

    /** Returns the largest number of rows. */
    int capacity() {
        return capacity;
    }

    /**
     * Adds a row.
     *
     * @param epochMillis when it was taken
     * @param row one value for each column; NaN if it is unknown
     */
    synchronized void add(long epochMillis, float... row) {
        int index = (int) (added % capacity);
        times[index] = epochMillis;
        System.arraycopy(row, 0, values, index * columns, columns);
        added++;
    }

    /** Returns a copy of the rows, oldest first. */
    synchronized Samples copy() {
        int size = (int) Math.min(added, capacity);
        int oldest = added <= capacity ? 0 : (int) (added % capacity);
        long[] orderedTimes = new long[size];
        float[] orderedValues = new float[size * columns];
        for (int i = 0; i < size; i++) {
            int index = (oldest + i) % capacity;
            orderedTimes[i] = times[index];
            System.arraycopy(values, index * columns, orderedValues, i * columns, columns);
        }
        return new Samples(columns, orderedTimes, orderedValues);
    }

    /** Rows, oldest first. Immutable: the arrays are not changed. */
    static final class Samples {

        private final int columns;
        private final long[] times;
        private final float[] values;

        private Samples(int columns, long[] times, float[] values) {
            this.columns = columns;
            this.times = times;
            this.values = values;
        }

        /** Returns no rows. */
        static Samples none(int columns) {
            return new Samples(columns, new long[0], new float[0]);
        }

        int size() {
            return times.length;
        }

        /** Returns the first row that was taken after this time; {@link #size} if there is none. */
        int firstAfter(long epochMillis) {
            int row = times.length;
            while (row > 0 && times[row - 1] > epochMillis) {
                row--;
            }
            return row;
        }

        /** Returns when the row was taken, in milliseconds since the epoch. */
        long epochMillis(int row) {
            return times[row];
        }

        /** Returns a value; NaN if it is unknown. */
        float value(int row, int column) {
            return values[row * columns + column];
        }
    }
}
