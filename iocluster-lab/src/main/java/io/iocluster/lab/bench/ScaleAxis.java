package io.iocluster.lab.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A size that grows while all others stay the same. */
enum ScaleAxis {
    BACKLOG("calls in the queue", true, List.of(10_000, 100_000, 1_000_000)),
    PARTITIONS("partitions of each topic", true, List.of(1, 12, 100, 1_000)),
    HOSTS("hosts that are called", true, List.of(1, 100, 1_000, 10_000)),
    IN_FLIGHT("maximum calls in flight, at about 10,000 calls a second", true, List.of(100, 1_000, 5_000, 10_000)),
    BODY("bytes of a response body", false, List.of(200, 4_096, 65_536, 524_288)),
    NODES("nodes on one broker", true, List.of(1, 2, 4));

    private final String meaning;
    private final boolean flat;
    private final List<Integer> defaults;

    ScaleAxis(String meaning, boolean flat, List<Integer> defaults) {
        this.meaning = meaning;
        this.flat = flat;
        this.defaults = defaults;
    }

    /** Returns what the values count. */
    String meaning() {
        return meaning;
    }

    /** Returns whether the CPU time of a call should not depend on the value. */
    boolean isFlat() {
        return flat;
    }

    /** Returns the name in the command line and the report. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the values of each axis that is measured, by its name.
     *
     * @param texts values by the name of their axis, separated by colons; empty for all axes with their usual values
     * @throws IllegalArgumentException if an axis does not exist or a value is not a positive number
     */
    static Map<String, List<Integer>> parse(Map<String, String> texts) {
        Map<String, ScaleAxis> axes = new LinkedHashMap<>();
        for (ScaleAxis each : values()) {
            axes.put(each.label(), each);
        }
        Map<String, List<Integer>> values = new LinkedHashMap<>();
        if (texts.isEmpty()) {
            axes.forEach((label, axis) -> values.put(label, axis.defaults));
        }
        texts.forEach((label, text) -> {
            if (!axes.containsKey(label)) {
                throw new IllegalArgumentException("unknown axis: " + label + "; use one of " + axes.keySet());
            }
            values.put(
                    label,
                    Arrays.stream(text.split(":", -1)).map(ScaleAxis::value).toList());
        });
        return values;
    }

    private static int value(String text) {
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException invalid) {
            // The message of a value that is too small fits too.
        }
        throw new IllegalArgumentException("not a positive number: " + text);
    }
}
