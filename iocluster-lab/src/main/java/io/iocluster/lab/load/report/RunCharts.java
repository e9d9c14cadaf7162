package io.iocluster.lab.load.report;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The charts over time of a run. */
final class RunCharts {

    /** Metrics that share a chart with others. */
    private static final String IN_FLIGHT_LIMIT = "in flight limit";

    private static final String WAITING = "waiting";
    private static final String OF_NODE = " of ";
    private static final Set<String> SHOWN_TOGETHER = Set.of(
            MetricSeries.LAG_SECONDS,
            MetricSeries.LAG_MESSAGES,
            MetricSeries.IN_FLIGHT,
            MetricSeries.CPU_CORES,
            IN_FLIGHT_LIMIT,
            WAITING);

    /** More points than a screen has make the file large and change nothing. */
    private static final int MAX_POINTS = 3_600;

    private final RunResult result;
    private final double[] times;
    private final Map<String, MetricSeries> metrics = new LinkedHashMap<>();

    RunCharts(RunResult result) {
        this.result = result;
        this.times = result.series().stream().mapToDouble(TimePoint::second).toArray();
        result.metrics().forEach(metric -> metrics.put(metric.name(), metric));
    }

    /** Returns the charts of the calls. */
    List<Chart> ofCalls() {
        double seconds = Math.max(1, result.intervalSeconds());
        Chart.Builder latency = over("Latency", Unit.MILLIS)
                .note("by the time of the answer; p99 needs 1,000 calls in an interval")
                .logarithmic()
                .line("p50", Color.A, nullable(TimePoint::p50Millis))
                .line("p90", Color.GOOD, nullable(TimePoint::p90Millis));
        double[] p99 = nullable(TimePoint::p99Millis);
        if (DoubleStream.of(p99).anyMatch(Double::isFinite)) {
            latency.line("p99", Color.B, p99);
        }
        return List.of(
                latency.dashedLine("max", Color.QUIET, values(point -> positive(point.maxMillis())))
                        .build(),
                over("Throughput", Unit.PER_SECOND)
                        .dashedLine("due", Color.QUIET, values(point -> point.due() / seconds))
                        .line("sent", Color.B, values(point -> point.sent() / seconds))
                        .line("answered", Color.A, values(point -> point.ended() / seconds))
                        .build(),
                over("Errors", Unit.PER_SECOND)
                        .line("errors", Color.BAD, values(point -> point.errors() / seconds))
                        .build(),
                over("Calls without an answer", Unit.COUNT)
                        .note("at the end of each interval")
                        .line("outstanding", Color.A, values(TimePoint::outstanding))
                        .build());
    }

    /** Returns the charts of the metrics that were read: of the nodes, then of Prometheus. Those without samples are empty. */
    List<Chart> ofMetrics() {
        List<Chart> charts = new ArrayList<>();
        charts.add(metrics(
                "Lag", Unit.MILLIS, 1e3, "age of the oldest message on the queue", List.of(MetricSeries.LAG_SECONDS)));
        charts.add(metrics("Messages on the queue", Unit.COUNT, 1, "", List.of(MetricSeries.LAG_MESSAGES)));
        charts.add(metrics("CPU", Unit.CORES, 1, "of all nodes", List.of(MetricSeries.CPU_CORES)));
        charts.add(metrics(
                "In flight", Unit.COUNT, 1, "in all nodes", List.of(MetricSeries.IN_FLIGHT, IN_FLIGHT_LIMIT, WAITING)));
        charts.add(byNode("CPU of each node", Unit.CORES, MetricSeries.CPU_CORES + OF_NODE));
        charts.add(byNode("In flight of each node", Unit.COUNT, MetricSeries.IN_FLIGHT + OF_NODE));
        metrics.keySet().stream()
                .filter(name -> !SHOWN_TOGETHER.contains(name)
                        && !name.startsWith(MetricSeries.CPU_CORES + OF_NODE)
                        && !name.startsWith(MetricSeries.IN_FLIGHT + OF_NODE))
                .forEach(name -> charts.add(
                        metrics(name, Unit.NUMBER, 1, metrics.get(name).unit(), List.of(name))));
        return charts;
    }

    private Chart byNode(String title, Unit unit, String prefix) {
        List<String> names = metrics.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .limit(Color.values().length)
                .toList();
        return lines(title, unit, 1, "", names, prefix.length());
    }

    private Chart metrics(String title, Unit unit, double scale, String note, List<String> names) {
        return lines(
                title,
                unit,
                scale,
                note,
                names.stream().filter(metrics::containsKey).toList(),
                0);
    }

    /**
     * Returns a chart of metrics, whose samples may have different times.
     *
     * @param prefix length of the part of each name that its label does not have
     */
    private Chart lines(String title, Unit unit, double scale, String note, List<String> names, int prefix) {
        double[] all = names.stream()
                .flatMap(name -> during(name).stream())
                .mapToDouble(Sample::seconds)
                .sorted()
                .distinct()
                .toArray();
        int stride = Math.max(1, (all.length + MAX_POINTS - 1) / MAX_POINTS);
        double[] xs = IntStream.range(0, (all.length + stride - 1) / stride)
                .mapToDouble(i -> all[i * stride])
                .toArray();
        Chart.Builder chart = new Chart.Builder(title, Axis.TIME, unit, xs).note(note);
        for (int i = 0; i < names.size(); i++) {
            chart.line(names.get(i).substring(prefix), Color.values()[i], highest(during(names.get(i)), xs, scale));
        }
        return chart.build();
    }

    private List<Sample> during(String metric) {
        return metrics.get(metric).samples().stream()
                .filter(sample -> sample.seconds() >= 0)
                .toList();
    }

    /** Returns the highest value from each x value up to the next; NaN if there is none. */
    private static double[] highest(List<Sample> samples, double[] xs, double scale) {
        double[] values = new double[xs.length];
        Arrays.fill(values, Double.NaN);
        for (Sample sample : samples) {
            int found = Arrays.binarySearch(xs, sample.seconds());
            int index = found >= 0 ? found : -found - 2;
            double value = sample.value() * scale;
            values[index] = Double.isNaN(values[index]) ? value : Math.max(values[index], value);
        }
        return values;
    }

    private Chart.Builder over(String title, Unit unit) {
        return new Chart.Builder(title, Axis.TIME, unit, times);
    }

    private double[] values(ToDoubleFunction<TimePoint> value) {
        return result.series().stream().mapToDouble(value).toArray();
    }

    private double[] nullable(Function<TimePoint, Double> value) {
        return values(point -> Figures.orNaN(value.apply(point)));
    }

    private static double positive(double value) {
        return value > 0 ? value : Double.NaN;
    }
}
