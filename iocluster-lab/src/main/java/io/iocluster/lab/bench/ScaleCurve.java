package io.iocluster.lab.bench;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The points of one axis, by rising value.
 *
 * @param points empty if the axis was not measured
 */
record ScaleCurve(ScaleAxis axis, List<Point> points) {

    /** Names of the figures of a point in a report. */
    static final String RATE = "calls/s";

    static final String CPU = "CPU µs";

    /** A point: the value on the axis, calls a second, and the CPU time of all nodes for each call. */
    record Point(int value, double callsPerSecond, double cpuMicros) {}

    /** Returns the medians over the rounds. */
    static ScaleCurve of(ScaleAxis axis, List<Measurement> rounds) {
        String prefix = axis.label() + " ";
        List<Point> points = rounds.stream()
                .flatMap(each -> each.extras().keySet().stream())
                .filter(name -> name.startsWith(prefix) && name.endsWith(" " + CPU))
                .map(name -> Integer.parseInt(name.split(" ", -1)[1]))
                .distinct()
                .sorted()
                .map(value ->
                        new Point(value, median(rounds, prefix + value, RATE), median(rounds, prefix + value, CPU)))
                .toList();
        return new ScaleCurve(axis, points);
    }

    private static double median(List<Measurement> rounds, String point, String figure) {
        return BenchReport.median(rounds, each -> each.extra(point + " " + figure));
    }

    /** Returns the CPU time of a call and the calls a second along the axis. */
    List<Chart> charts() {
        return List.of(
                chart("CPU µs a call", Unit.NUMBER, Point::cpuMicros),
                chart("calls a second", Unit.PER_SECOND, Point::callsPerSecond));
    }

    private Chart chart(String figure, Unit unit, ToDoubleFunction<Point> value) {
        double[] sizes = points.stream().mapToDouble(Point::value).toArray();
        return new Chart.Builder(axis.label() + ": " + figure, Axis.SIZE, unit, sizes)
                .note(axis.meaning())
                .line(figure, Color.A, points.stream().mapToDouble(value).toArray())
                .build();
    }

    /** Prints a line for each point, with its CPU time relative to the first point. */
    void print(PrintWriter out, double flatWithin) {
        if (points.isEmpty()) {
            return;
        }
        out.printf("%n  %s: %s%n", axis.label(), axis.meaning());
        double first = points.get(0).cpuMicros();
        for (Point each : points) {
            double growth = each.cpuMicros() / first;
            boolean bends = axis.isFlat() && Math.abs(growth - 1) > flatWithin;
            out.printf(
                    Locale.ROOT,
                    "  %10d %10.0f calls/s %8.1f µs  × %.2f%s%n",
                    each.value(),
                    each.callsPerSecond(),
                    each.cpuMicros(),
                    growth,
                    bends ? "  not flat" : "");
        }
    }
}
