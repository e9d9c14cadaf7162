package io.iocluster.node.metrics;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A metric of a scrape: its type, and the label names of all its samples. */
record ExposedMetric(String type, Set<String> labels) {

    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    /** Parses a scrape in Prometheus text format into metrics by name. The samples of a histogram belong to the histogram. */
    static Map<String, ExposedMetric> in(String text) {
        Map<String, ExposedMetric> metrics = new TreeMap<>();
        text.lines().forEach(line -> {
            Matcher type = TYPE.matcher(line);
            Matcher sample = SAMPLE.matcher(line);
            if (type.matches()) {
                metrics.put(type.group(1), new ExposedMetric(type.group(2), new TreeSet<>()));
            } else if (!line.startsWith("#") && sample.matches()) {
                metrics.get(family(metrics, sample.group(1))).labels().addAll(labels(sample.group(2)));
            }
        });
        return metrics;
    }

    private static String family(Map<String, ExposedMetric> metrics, String sample) {
        return metrics.containsKey(sample) ? sample : sample.replaceFirst("_(bucket|count|sum)$", "");
    }

    private static Set<String> labels(String text) {
        Set<String> names = new TreeSet<>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(label -> names.add(label.group(1)));
        }
        names.removeAll(Set.of("le", "quantile"));
        return names;
    }

    /** Returns all values of a label in a scrape. */
    static Set<String> values(String text, String label) {
        Set<String> values = new TreeSet<>();
        Pattern.compile("[{,]" + label + "=\"([^\"]*)\"")
                .matcher(text)
                .results()
                .forEach(found -> values.add(found.group(1)));
        return values;
    }
}
