package io.iocluster.lab.bench.run;

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

/** Collects measurements, by scenario. Used by one thread. */
public final class BenchReport {

    /** More figures than these are the scenario's own to print. */
    private static final int MOST_IN_A_LINE = 8;

    private final Map<String, List<Measurement>> byScenario = new LinkedHashMap<>();
    private final String broker;

    /**
     * An empty report.
     *
     * @param broker what is measured on
     */
    public BenchReport(String broker) {
        this.broker = broker;
    }

    public void add(String scenario, Measurement measurement) {
        byScenario.computeIfAbsent(scenario, any -> new ArrayList<>()).add(measurement);
    }

    /** What was measured by this scenario. */
    public List<Measurement> measurementsOf(String scenario) {
        return byScenario.getOrDefault(scenario, List.of());
    }

    /** Prints one line a measurement, how its calls ended, then the medians of the rounds' ratios. */
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
            one.outcomes().forEach((host, endings) -> out.printf("%-9s   %s: %s%n", "", host, endings(endings)));
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

    /** The median over the rounds of node ÷ naive, by figure; empty unless both were measured. */
    static Map<String, Double> ratios(List<Measurement> all) {
        Map<String, Double> ratios = new LinkedHashMap<>();
        put(ratios, "calls/s", all, Measurement::callsPerSecond);
        put(ratios, "CPU", all, Measurement::cpuMicrosPerCall);
        for (String extra : List.of("p50 ms", "p99 ms")) {
            if (all.stream().allMatch(one -> one.extras().containsKey(extra))) {
                put(ratios, extra, all, one -> one.extras().get(extra));
            }
        }
        return ratios;
    }

    private static void put(
            Map<String, Double> ratios, String name, List<Measurement> all, ToDoubleFunction<Measurement> figure) {
        List<Double> each = new ArrayList<>();
        for (Measurement node : all) {
            for (Measurement naive : all) {
                if (node.subject() == Subject.NODE
                        && naive.subject() == Subject.NAIVE
                        && node.round() == naive.round()) {
                    each.add(figure.applyAsDouble(node) / figure.applyAsDouble(naive));
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

    private static String extras(Measurement one) {
        if (one.extras().size() > MOST_IN_A_LINE) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        one.extras().forEach((name, value) -> text.append(String.format(Locale.ROOT, "%s %.1f  ", name, value)));
        return text.toString().stripTrailing();
    }

    private static String endings(Map<String, Long> endings) {
        return endings.entrySet().stream()
                .map(ending -> ending.getKey() + " " + ending.getValue())
                .collect(Collectors.joining(", "));
    }
}
