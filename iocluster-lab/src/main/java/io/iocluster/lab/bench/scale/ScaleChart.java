package io.iocluster.lab.bench.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Draws the curves as SVG: a row for each axis, with the CPU time of a call on the left and the calls a second on the right. The vertical
 * axes start at 0. The points have equal distances, because the values grow by about the same factor.
 */
record ScaleChart(List<ScaleCurve> curves) {

    private static final int WIDTH = 380;
    private static final int HEIGHT = 110;
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final int ROW = HEIGHT + 60;
    private static final int COLUMN = WIDTH + 70;
    private static final String LINE = "fill='none' stroke='#1d4ed8' stroke-width='2'";

    /** Writes the chart and creates its parent folders. */
    void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, svg());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String svg() {
        List<ScaleCurve> drawn =
                curves.stream().filter(each -> !each.points().isEmpty()).toList();
        StringBuilder svg = new StringBuilder(format(
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n"
                        + "<rect width='100%%' height='100%%' fill='white'/>\n",
                LEFT + 2 * COLUMN, TOP + drawn.size() * ROW));
        for (int row = 0; row < drawn.size(); row++) {
            ScaleCurve curve = drawn.get(row);
            int y = TOP + row * ROW;
            plot(svg, curve, LEFT, y, "µs of CPU a call: " + curve.axis().meaning(), ScaleCurve.Point::cpuMicros);
            plot(svg, curve, LEFT + COLUMN, y, "calls a second", ScaleCurve.Point::callsPerSecond);
        }
        return svg.append("</svg>\n").toString();
    }

    private static void plot(
            StringBuilder svg,
            ScaleCurve curve,
            int x,
            int y,
            String title,
            ToDoubleFunction<ScaleCurve.Point> figure) {
        List<ScaleCurve.Point> points = curve.points();
        double top = points.stream().mapToDouble(figure).max().orElse(1);
        svg.append(format("<g transform='translate(%d,%d)'>\n<text y='-10'>%s</text>\n", x, y, title));
        svg.append(format("<path d='M0 0V%d H%d' fill='none' stroke='#6b7280'/>\n", HEIGHT, WIDTH));
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < points.size(); i++) {
            double value = figure.applyAsDouble(points.get(i));
            double px = WIDTH * (i + 0.5) / points.size();
            double py = HEIGHT * (1 - 0.9 * value / Math.max(top, 1e-9));
            line.append(format("%.1f,%.1f ", px, py));
            svg.append(format("<circle cx='%.1f' cy='%.1f' r='3' fill='#1d4ed8'/>", px, py));
            svg.append(format("<text x='%.1f' y='%.1f' text-anchor='middle'>%,.0f</text>", px, py - 6, value));
            svg.append(format(
                    "<text x='%.1f' y='%d' text-anchor='middle'>%,d</text>\n",
                    px, HEIGHT + 16, points.get(i).value()));
        }
        svg.append(format("<polyline points='%s' %s/>\n</g>\n", line, LINE));
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
