package io.iocluster.lab.load.report;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

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

    private final RunResult result;
    private final double[] times;

    RunCharts(RunResult result) {
        this.result = result;
        this.times = result.series().stream().mapToDouble(TimePoint::second).toArray();
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

    /** Returns the charts of the metrics that were read: of the nodes, then of Prometheus. */
    List<Chart> ofMetrics() {
        List<Chart> charts = new ArrayList<>();
        Map<String, MetricSeries> byName = new LinkedHashMap<>();
        result.metrics().forEach(metric -> byName.put(metric.name(), metric));
        add(
                charts,
                byName,
                "Lag",
                Unit.MILLIS,
                1e3,
                "age of the oldest message on the queue",
                MetricSeries.LAG_SECONDS);
        add(charts, byName, "Messages on the queue", Unit.COUNT, 1, "", MetricSeries.LAG_MESSAGES);
        add(charts, byName, "CPU", Unit.CORES, 1, "of all nodes", MetricSeries.CPU_CORES);
        add(
                charts,
                byName,
                "In flight",
                Unit.COUNT,
                1,
                "in all nodes",
                MetricSeries.IN_FLIGHT,
                IN_FLIGHT_LIMIT,
                WAITING);
        addByNode(charts, byName, "CPU of each node", Unit.CORES, MetricSeries.CPU_CORES);
        addByNode(charts, byName, "In flight of each node", Unit.COUNT, MetricSeries.IN_FLIGHT);
        byName.keySet().stream()
                .filter(name -> !SHOWN_TOGETHER.contains(name) && !isOfNode(name))
                .forEach(name -> add(
                        charts, byName, name, Unit.NUMBER, 1, byName.get(name).unit(), name));
        return charts;
    }

    private static boolean isOfNode(String name) {
        return name.startsWith(MetricSeries.CPU_CORES + OF_NODE) || name.startsWith(MetricSeries.IN_FLIGHT + OF_NODE);
    }

    private static void addByNode(
            List<Chart> charts, Map<String, MetricSeries> byName, String title, Unit unit, String metric) {
        List<String> names = byName.keySet().stream()
                .filter(name -> name.startsWith(metric + OF_NODE))
                .limit(Color.values().length)
                .toList();
        List<String> labels = names.stream()
                .map(name -> name.substring((metric + OF_NODE).length()))
                .toList();
        MetricLines.chart(byName, names, labels, title, unit, 1, "").ifPresent(charts::add);
    }

    private static void add(
            List<Chart> charts,
            Map<String, MetricSeries> byName,
            String title,
            Unit unit,
            double scale,
            String note,
            String... names) {
        List<String> known = List.of(names).stream().filter(byName::containsKey).toList();
        MetricLines.chart(byName, known, known, title, unit, scale, note).ifPresent(charts::add);
    }

    private Chart.Builder over(String title, Unit unit) {
        return new Chart.Builder(title, Axis.TIME, unit, times);
    }

    private double[] values(ToDoubleFunction<TimePoint> value) {
        return result.series().stream().mapToDouble(value).toArray();
    }

    private double[] nullable(Function<TimePoint, Double> value) {
        return values(point -> {
            Double known = value.apply(point);
            return known == null ? Double.NaN : known;
        });
    }

    private static double positive(double value) {
        return value > 0 ? value : Double.NaN;
    }
}
