package io.iocluster.lab.bench;

import io.iocluster.lab.load.html.Chart;
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

/** Collects measurements by scenario. Confined to one thread. */
final class BenchReport {

    /** A scenario with more extra values prints them itself. */
    private static final int MAX_EXTRAS_IN_A_LINE = 8;

    /** Name of the extra value with the calls a second of the steady part. */
    static final String STEADY_RATE = "steady calls/s";

    /** Name of the extra value with the CPU time of a call in the steady part. */
    static final String STEADY_CPU = "steady CPU µs";

    private final Map<String, List<Measurement>> byScenario = new LinkedHashMap<>();
    private final Map<String, List<Chart>> charts = new LinkedHashMap<>();
    private final String broker;

    /**
     * Creates an empty report.
     *
     * @param broker description of the broker
     */
    public BenchReport(String broker) {
        this.broker = broker;
    }

    public void add(String scenario, Measurement measurement) {
        byScenario.computeIfAbsent(scenario, any -> new ArrayList<>()).add(measurement);
    }

    /** Sets the charts of a scenario on the page, beside its percentile curves. */
    public void setCharts(String scenario, List<Chart> shown) {
        charts.put(scenario, shown);
    }

    /** Returns the measurements of a scenario. */
    public List<Measurement> measurementsOf(String scenario) {
        return byScenario.getOrDefault(scenario, List.of());
    }

    /** Prints one line for each measurement, its outcomes, and the medians of the ratios over the rounds. */
    public void print(String scenario, PrintWriter out) {
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
        ratios(all).forEach((name, ratio) -> out.printf(Locale.ROOT, "  node ÷ naive, %s: %.3f%n", name, ratio));
        out.flush();
    }

    public void writeJson(Path file) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("java", System.getProperty("java.version"));
        root.put("processors", Runtime.getRuntime().availableProcessors());
        root.put("broker", broker);
        Map<String, Object> scenarios = new LinkedHashMap<>();
        byScenario.forEach(
                (name, all) -> scenarios.put(name, Map.of("measurements", all, "medianRatios", ratios(all))));
        root.put("scenarios", scenarios);
        try {
            Path folder = file.toAbsolutePath().getParent();
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(file.toFile(), root);
    }

    /** Writes the figures and the percentiles of each scenario as one HTML file, which looks like the report of a load test. */
    public void writeHtml(Path file) {
        BenchPage page = new BenchPage(broker);
        byScenario.forEach((name, all) -> page.add(name, all, charts.getOrDefault(name, List.of())));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, page.html());
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
                put(ratios, extra, all, one -> one.extras().get(extra));
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
            ratios.put(name, median(each));
        }
    }

    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    static String extras(Measurement one) {
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
