package io.iocluster.lab.bench.tuning;

import io.iocluster.lab.bench.tuning.RampResult.RampSample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Draws lag, calls in flight, CPU and rate over time as SVG, for a node with the advisor off and one with it on auto.
 */
record RampChart(RampResult off, RampResult auto) {

    private static final String OFF = "fill='none' stroke='#c2410c' stroke-width='2'";
    private static final String AUTO = "fill='none' stroke='#1d4ed8' stroke-width='2'";
    private static final String LIMIT = "fill='none' stroke='#1d4ed8' stroke-dasharray='5 4'";
    private static final String REFERENCE = "fill='none' stroke='#6b7280' stroke-dasharray='5 4'";
    private static final double CEILING = 80;
    private static final int LEFT = 80;
    private static final int FIRST_PLOT = 90;
    private static final int PLOT_DISTANCE = SvgPlot.HEIGHT + 45;

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
        int seconds = Math.max(off.samples().size(), auto.samples().size());
        List<Integer> steps = IntStream.range(1, off.rates().size())
                .mapToObj(step -> step * off.seconds())
                .toList();
        List<SvgPlot> plots = List.of(
                plot(SvgPlot.logarithmic("lag, messages"), RampSample::lag),
                plot(SvgPlot.linear("calls in flight"), RampSample::inFlight)
                        .line(LIMIT, values(auto, RampSample::inFlightLimit)),
                plot(SvgPlot.linear("CPU of the node, % of all cores"), sample -> 100 * sample.cpu())
                        .line(REFERENCE, values(auto, sample -> CEILING))
                        .upTo(100),
                plot(SvgPlot.linear("calls per second"), RampSample::answered)
                        .line(REFERENCE, values(auto, this::input)));
        StringBuilder svg = new StringBuilder("""
                <svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>
                <rect width='100%%' height='100%%' fill='white'/>
                <text x='%d' y='26' font-size='15' font-weight='bold'>Input from %d to %d calls per second, initial \
                max-in-flight 50, a target that takes 100 ms</text>
                """.formatted(
                        LEFT + SvgPlot.WIDTH + 20,
                        FIRST_PLOT + plots.size() * PLOT_DISTANCE,
                        LEFT,
                        off.rates().get(0),
                        off.rates().get(off.rates().size() - 1)));
        svg.append(legend(0, OFF, "advisor off"))
                .append(legend(1, AUTO, "advisor on auto"))
                .append(legend(2, LIMIT, "in-flight limit on auto"))
                .append(legend(3, REFERENCE, "input, CPU ceiling, steps"));
        for (int i = 0; i < plots.size(); i++) {
            svg.append(plots.get(i).svg(LEFT, FIRST_PLOT + i * PLOT_DISTANCE, seconds, steps, REFERENCE));
        }
        return svg.append("</svg>\n").toString();
    }

    private static String legend(int position, String style, String name) {
        int x = LEFT + position * 200;
        return "<path d='M%d 46h30' %s/><text x='%d' y='50'>%s</text>%n".formatted(x, style, x + 36, name);
    }

    private SvgPlot plot(SvgPlot plot, ToDoubleFunction<RampSample> figure) {
        return plot.line(OFF, values(off, figure)).line(AUTO, values(auto, figure));
    }

    private double input(RampSample sample) {
        return auto.rates().get(Math.min(auto.rates().size() - 1, (sample.second() - 1) / auto.seconds()));
    }

    private static List<Double> values(RampResult ramp, ToDoubleFunction<RampSample> figure) {
        return ramp.samples().stream().map(figure::applyAsDouble).toList();
    }
}
