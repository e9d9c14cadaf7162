package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the metrics that {@code docs/metrics.md} documents. */
final class DocumentedMetrics {

    private static final Path PAGE = Path.of("..", "docs", "metrics.md");
    private static final Pattern ROW =
            Pattern.compile("\\| `([a-z0-9_]+)` \\| ([a-z]+)(, not always)? \\|(.*?)\\| .+ \\|");

    private DocumentedMetrics() {}

    /**
     * Returns the documented metrics of a transport, by name.
     *
     * @param all whether to include metrics that not every process has
     */
    static Map<String, ExposedMetric> of(String transport, boolean all) {
        Map<String, ExposedMetric> rows = new TreeMap<>();
        for (String line : lines()) {
            Matcher row = ROW.matcher(line);
            if (row.matches() && (all || row.group(3) == null)) {
                rows.put(row.group(1), new ExposedMetric(row.group(2), labels(row.group(4), transport)));
            }
        }
        assertThat(rows).isNotEmpty();
        return rows;
    }

    private static Iterable<String> lines() {
        try {
            return Files.readAllLines(PAGE);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static Set<String> labels(String cell, String transport) {
        Set<String> labels = new TreeSet<>();
        Arrays.stream(cell.split(","))
                .map(String::trim)
                .filter(label -> !label.isEmpty())
                .forEach(label -> {
                    boolean kafkaOnly = label.endsWith("(Kafka)");
                    if (!kafkaOnly || transport.equals("kafka")) {
                        labels.add(label.replaceAll("`| \\(Kafka\\)", ""));
                    }
                });
        return labels;
    }
}
