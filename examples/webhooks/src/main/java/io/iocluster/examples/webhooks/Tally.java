package io.iocluster.examples.webhooks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The results of the deliveries to one subscriber.
 *
 * @param retries attempts after the first one of each delivery
 * @param failed number of failed deliveries by reason
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
