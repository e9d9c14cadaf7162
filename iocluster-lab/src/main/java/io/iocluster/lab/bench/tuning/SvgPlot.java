package io.iocluster.lab.bench.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One plot of lines over seconds, as SVG. Both axes start at the bottom left. Confined to one thread. A chart library would bring
 * several jars and need the fonts of the machine, and uPlot needs a browser. Charts with more than lines over time use uPlot.
 */
final class SvgPlot {

    static final int WIDTH = 860;
    static final int HEIGHT = 165;

    private static final String GRID = "#d1d5db";
    private static final int MAX_TICKS = 6;

    private final String title;
    private final boolean logarithmic;
    private final List<Line> lines = new ArrayList<>();
    private double top = 1;

    private record Line(String style, List<Double> values) {}

    private SvgPlot(String title, boolean logarithmic) {
        this.title = title;
        this.logarithmic = logarithmic;
    }

    /** Creates a plot whose vertical axis starts at 0. */
    static SvgPlot linear(String title) {
        return new SvgPlot(title, false);
    }

    /** Creates a plot whose vertical axis starts at 1. */
    static SvgPlot logarithmic(String title) {
        return new SvgPlot(title, true);
    }

    /** Adds a line with one value for each second. The vertical axis ends at the highest value of all lines. */
    SvgPlot line(String style, List<Double> values) {
        lines.add(new Line(style, values));
        values.forEach(value -> top = Math.max(top, value));
        return this;
    }

    /** Makes the vertical axis end at this value at least. */
    SvgPlot upTo(double value) {
        top = Math.max(top, value);
        return this;
    }

    /**
     * Returns the plot as SVG.
     *
     * @param y distance of its upper edge from that of the picture
     * @param seconds length of the horizontal axis
     * @param steps times of vertical lines
     * @param stepStyle style of these lines
     */
    String svg(int x, int y, int seconds, List<Integer> steps, String stepStyle) {
        StringBuilder svg = new StringBuilder();
        svg.append(format("<g transform='translate(%d,%d)'>\n<text y='-6'>%s</text>\n", x, y, title));
        for (double tick : ticks()) {
            double at = height(tick);
            svg.append(format("<path d='M0 %.1fH%d' stroke='%s'/>", at, WIDTH, GRID));
            svg.append(format("<text x='-6' y='%.1f' text-anchor='end'>%,.0f</text>\n", at + 4, tick));
        }
        for (double second : linearTicks(seconds)) {
            double at = second / seconds * WIDTH;
            svg.append(format("<path d='M%.1f 0V%d' stroke='%s'/>", at, HEIGHT, GRID));
            svg.append(format("<text x='%.1f' y='%d' text-anchor='middle'>%.0f s</text>\n", at, HEIGHT + 16, second));
        }
        for (int step : steps) {
            svg.append(format("<path d='M%.1f 0V%d' %s/>\n", (double) step / seconds * WIDTH, HEIGHT, stepStyle));
        }
        for (Line line : lines) {
            svg.append("<polyline points='");
            for (int i = 0; i < line.values.size(); i++) {
                svg.append(format("%.1f,%.1f ", (i + 1.0) / seconds * WIDTH, height(line.values.get(i))));
            }
            svg.append("' ").append(line.style).append("/>\n");
        }
        return svg.append("</g>\n").toString();
    }

    private double height(double value) {
        double share = logarithmic ? Math.log(Math.max(1, value)) / Math.log(Math.max(10, top)) : value / top;
        return HEIGHT * (1 - share);
    }

    private List<Double> ticks() {
        if (!logarithmic) {
            return linearTicks(top);
        }
        List<Double> ticks = new ArrayList<>();
        for (double tick = 1; tick <= top; tick *= 10) {
            ticks.add(tick);
        }
        return ticks;
    }

    /** Returns the multiples of 1, 2 or 5 times a power of ten from 0 to the end. */
    private static List<Double> linearTicks(double end) {
        double step = Math.max(1, Math.pow(10, Math.floor(Math.log10(end / MAX_TICKS))));
        for (double factor : new double[] {2, 2.5, 2}) {
            step *= end / step > MAX_TICKS ? factor : 1;
        }
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i * step <= end; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
