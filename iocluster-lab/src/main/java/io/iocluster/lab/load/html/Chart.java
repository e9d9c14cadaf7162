package io.iocluster.lab.load.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A line chart.
 *
 * @param title the heading
 * @param note a sentence below the heading; empty for none
 * @param x the meaning of the x values
 * @param unit of the y values
 * @param logarithmic whether the y axis is logarithmic
 * @param xs the x values, rising
 * @param lines each has one value for each x value
 */
public record Chart(String title, String note, Axis x, Unit unit, boolean logarithmic, double[] xs, List<Line> lines) {

    /** What the x values are. */
    public enum Axis {
        /** Seconds since the start of the run. */
        TIME,
        /** Percentiles as {@code log10(1 / (1 - share))}: 0 is the minimum, 2 is p99, 4 is p99.99. */
        PERCENTILE,
        /** Numbers that grow by about the same factor, at equal distances. */
        SIZE
    }

    /** What the y values are. */
    public enum Unit {
        MILLIS,
        COUNT,
        PER_SECOND,
        CORES,
        NUMBER
    }

    /** The colours of lines, which differ in the light and the dark scheme. */
    public enum Color {
        A,
        B,
        GOOD,
        WARN,
        BAD,
        QUIET
    }

    /**
     * One line.
     *
     * @param values NaN for a gap
     */
    public record Line(String label, Color color, boolean dashed, double[] values) {}

    public Chart {
        lines = List.copyOf(lines);
        for (Line line : lines) {
            if (line.values().length != xs.length) {
                throw new IllegalArgumentException(
                        line.label() + " has " + line.values().length + " values for " + xs.length + " x values");
            }
        }
    }

    /** Returns whether there is something to draw. */
    public boolean isEmpty() {
        return xs.length == 0 || lines.isEmpty();
    }

    /** Creates a chart step by step. Confined to one thread. */
    public static final class Builder {

        private final String title;
        private final Axis x;
        private final Unit unit;
        private final double[] xs;
        private final List<Line> lines = new ArrayList<>();
        private String note = "";
        private boolean logarithmic;

        public Builder(String title, Axis x, Unit unit, double[] xs) {
            this.title = title;
            this.x = x;
            this.unit = unit;
            this.xs = xs;
        }

        /** Adds a sentence below the heading. */
        public Builder note(String text) {
            this.note = text;
            return this;
        }

        /** Makes the y axis logarithmic. */
        public Builder logarithmic() {
            this.logarithmic = true;
            return this;
        }

        public Builder line(String label, Color color, double[] values) {
            lines.add(new Line(label, color, false, values));
            return this;
        }

        public Builder dashedLine(String label, Color color, double[] values) {
            lines.add(new Line(label, color, true, values));
            return this;
        }

        public Chart build() {
            return new Chart(title, note, x, unit, logarithmic, xs, lines);
        }
    }
}
