package io.iocluster.lab.bench;

import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.HtmlPage;
import io.iocluster.lab.load.html.HtmlTable;
import io.iocluster.lab.load.report.Figures;
import io.iocluster.lab.load.report.PercentileCurve;
import io.iocluster.lab.load.result.LatencyHistogram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Collects measurements by scenario, and prints and writes them. Confined to one thread. */
final class BenchReport {

    /** A scenario with more extra values prints them itself. */
    private static final int MAX_EXTRAS_IN_A_LINE = 8;

    /** Name of the extra value with the calls a second of the steady part. */
    static final String STEADY_RATE = "steady calls/s";

    /** Name of the extra value with the CPU time of a call in the steady part. */
    static final String STEADY_CPU = "steady CPU µs";

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    private final Map<String, List<Measurement>> byScenario = new LinkedHashMap<>();
    private final Map<String, List<Chart>> charts = new LinkedHashMap<>();
    private final String broker;

    /**
     * Creates an empty report.
     *
     * @param broker description of the broker
     */
    BenchReport(String broker) {
        this.broker = broker;
    }

    void add(String scenario, Measurement measurement) {
        byScenario.computeIfAbsent(scenario, any -> new ArrayList<>()).add(measurement);
    }

    /** Sets the charts of a scenario on the page, beside its percentile curves. */
    void setCharts(String scenario, List<Chart> shown) {
        charts.put(scenario, shown);
    }

    /** Returns the measurements of a scenario. */
    List<Measurement> measurementsOf(String scenario) {
        return byScenario.getOrDefault(scenario, List.of());
    }

    /** Prints one line for each measurement, its outcomes, and the medians of the ratios over the rounds. */
    void print(String scenario, PrintWriter out) {
        List<Measurement> all = measurementsOf(scenario);
        out.printf(
                "%n%-9s %-6s %5s %11s %9s %8s %8s%n",
                scenario, "", "round", "calls/s", "CPU µs", "RSS MiB", "heap MiB");
        for (Measurement one : all) {
            out.printf(
                    Locale.ROOT,
                    "%-9s %-6s %5d %11.0f %9.1f %8d %8s  %s%n",
                    "",
                    one.subject().label(),
                    one.round(),
                    one.callsPerSecond(),
                    one.cpuMicrosPerCall(),
                    one.peakResidentBytes() >> 20,
                    one.peakHeapBytes() == 0 ? "-" : one.peakHeapBytes() >> 20,
                    extras(one));
            one.outcomes().forEach((host, outcomes) -> out.printf("%-9s   %s: %s%n", "", host, outcomes(outcomes)));
        }
        ratios(all).forEach((name, ratio) -> line(out, "node ÷ naive, %s: %.3f", name, ratio));
        out.flush();
    }

    /** Prints a figure of a scenario. */
    static void line(PrintWriter out, String format, Object... values) {
        out.println("  " + String.format(Locale.ROOT, format, values));
    }

    /** Prints a figure of a scenario with its limit, and whether it is met. Returns {@code met}. */
    static boolean target(PrintWriter out, boolean met, String format, Object... values) {
        line(out, format + ": " + (met ? "met" : "missed"), values);
        return met;
    }

    void writeJson(Path file) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("java", System.getProperty("java.version"));
        root.put("processors", Runtime.getRuntime().availableProcessors());
        root.put("broker", broker);
        Map<String, Object> scenarios = new LinkedHashMap<>();
        byScenario.forEach(
                (name, all) -> scenarios.put(name, Map.of("measurements", all, "medianRatios", ratios(all))));
        root.put("scenarios", scenarios);
        write(
                file,
                JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(root));
    }

    /** Writes the figures and the percentiles of each scenario as one HTML file, which looks like the report of a load test. */
    void writeHtml(Path file) {
        HtmlPage page = new HtmlPage("bin/bench", List.of())
                .note(broker + " · Java " + System.getProperty("java.version") + " · "
                        + Runtime.getRuntime().availableProcessors() + " processors");
        byScenario.forEach((scenario, all) -> {
            page.section(scenario);
            ratios(all)
                    .forEach((name, ratio) ->
                            page.paragraph(String.format(Locale.ROOT, "node ÷ naive, %s: %.3f", name, ratio)));
            page.table(figures(all));
            List<Chart> shown = new ArrayList<>();
            Map<String, LatencyHistogram> latencies = latencies(all);
            if (!latencies.isEmpty()) {
                page.table(percentiles(latencies));
                shown.add(PercentileCurve.chart("Percentiles of " + scenario, latencies));
            }
            shown.addAll(charts.getOrDefault(scenario, List.of()));
            page.charts(shown);
        });
        write(file, page.html());
    }

    private static HtmlTable figures(List<Measurement> all) {
        HtmlTable table =
                new HtmlTable("", ">round", ">calls/s", ">CPU µs", ">RSS MiB", ">heap MiB", "further figures");
        for (Measurement one : all) {
            table.add(
                    one.subject().label(),
                    one.round(),
                    Figures.number(one.callsPerSecond()),
                    Figures.number(one.cpuMicrosPerCall()),
                    one.peakResidentBytes() >> 20,
                    one.peakHeapBytes() == 0 ? Figures.NONE : one.peakHeapBytes() >> 20,
                    extras(one));
        }
        return table;
    }

    /** Returns the distributions of all rounds together, by subject and name. */
    private static Map<String, LatencyHistogram> latencies(List<Measurement> all) {
        Map<String, LatencyHistogram> byLabel = new LinkedHashMap<>();
        for (Measurement one : all) {
            one.latencies()
                    .forEach((name, latency) -> byLabel.merge(
                            one.subject().label() + ": " + name,
                            latency,
                            (earlier, later) -> LatencyHistogram.sum(List.of(earlier, later))));
        }
        return byLabel;
    }

    private static HtmlTable percentiles(Map<String, LatencyHistogram> latencies) {
        HtmlTable table = new HtmlTable("", ">calls", ">p50", ">p90", ">p99", ">p99.9", ">max");
        latencies.forEach((label, latency) ->
                table.add(Figures.distribution(latency, PERCENTILES, label, Figures.count(latency.count()))));
        return table;
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the median over the rounds of node ÷ naive, by metric; empty unless both were measured. */
    static Map<String, Double> ratios(List<Measurement> all) {
        Map<String, Double> ratios = new LinkedHashMap<>();
        put(ratios, "calls/s", all, Measurement::callsPerSecond);
        put(ratios, "CPU", all, Measurement::cpuMicrosPerCall);
        for (String extra : List.of(STEADY_RATE, STEADY_CPU, "p50 ms", "p99 ms")) {
            if (all.stream().allMatch(one -> one.extras().containsKey(extra))) {
                put(ratios, extra, all, one -> one.extra(extra));
            }
        }
        return ratios;
    }

    private static void put(
            Map<String, Double> ratios, String name, List<Measurement> all, ToDoubleFunction<Measurement> metric) {
        List<Double> each = new ArrayList<>();
        for (Measurement node : all) {
            for (Measurement naive : all) {
                if (node.subject() == Subject.NODE
                        && naive.subject() == Subject.NAIVE
                        && node.round() == naive.round()) {
                    each.add(metric.applyAsDouble(node) / metric.applyAsDouble(naive));
                }
            }
        }
        if (!each.isEmpty()) {
            ratios.put(name, median(each, Double::doubleValue));
        }
    }

    /** Returns the median of a value of all entries, at least one. */
    static <T> double median(List<T> all, ToDoubleFunction<T> value) {
        double[] sorted = all.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static String extras(Measurement one) {
        if (one.extras().size() > MAX_EXTRAS_IN_A_LINE) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        one.extras().forEach((name, value) -> text.append(String.format(Locale.ROOT, "%s %.1f  ", name, value)));
        return text.toString().stripTrailing();
    }

    private static String outcomes(Map<String, Long> outcomes) {
        return outcomes.entrySet().stream()
                .map(outcome -> outcome.getKey() + " " + outcome.getValue())
                .collect(Collectors.joining(", "));
    }
}
