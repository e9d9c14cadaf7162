package io.iocluster.node.cli.top;

import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Durations of calls as a histogram, from the {@code durations} of the admin API. Confined to one thread. */
final class Durations {

    private final TreeMap<Double, Long> calls = new TreeMap<>();

    /** Adds the difference of two responses. The earlier one may be missing. */
    void add(JsonNode earlier, JsonNode later) {
        count(later, 1);
        count(earlier, -1);
    }

    private void count(JsonNode durations, int sign) {
        durations.forEach(bucket -> calls.merge(
                bucket.path("upToMillis").asDouble(0),
                sign * bucket.path("calls").asLong(0),
                Long::sum));
    }

    /** Returns the upper bound of the bucket with this quantile, in milliseconds; 0 if there are no calls. */
    double quantile(double quantile) {
        long all = calls.values().stream().mapToLong(each -> Math.max(0, each)).sum();
        long rank = Math.max(1, (long) Math.ceil(quantile * all));
        long seen = 0;
        for (var bucket : calls.entrySet()) {
            seen += Math.max(0, bucket.getValue());
            if (all > 0 && seen >= rank) {
                return bucket.getKey();
            }
        }
        return 0;
    }
}
