package io.iocluster.examples.webhooks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How the deliveries to one subscriber ended.
 *
 * @param retries attempts beyond the first of each
 * @param failed how many for which reason
 */
record Tally(int delivered, int retries, Map<String, Integer> failed) {

    static Tally of(List<WebhookDelivery> deliveries) {
        Map<String, Integer> failed = deliveries.stream()
                .filter(delivery -> !delivery.delivered())
                .collect(Collectors.toMap(WebhookDelivery::reason, delivery -> 1, Integer::sum, TreeMap::new));
        int retries = deliveries.stream()
                .mapToInt(delivery -> delivery.attempts() - 1)
                .sum();
        long delivered = deliveries.stream().filter(WebhookDelivery::delivered).count();
        return new Tally((int) delivered, retries, failed);
    }

    @Override
    public String toString() {
        return "delivered " + delivered + ", retries " + retries + ", failed " + failed;
    }
}
