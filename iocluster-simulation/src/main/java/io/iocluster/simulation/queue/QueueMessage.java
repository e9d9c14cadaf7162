package io.iocluster.simulation.queue;

import java.util.Map;

/**
 * A message on a queue.
 *
 * @param number counts the requests of the broker from zero
 * @param timestampMillis when the broker stored it, on its clock
 * @param delayedRetry whether it was read from the delays
 */
record QueueMessage(
        long number, byte[] payload, Map<String, String> headers, long timestampMillis, boolean delayedRetry) {

    String coordinates() {
        return "queue/" + number;
    }

    /** Returns the id of the call, which the producer also gives in a header. */
    String call() {
        return headers.get("call");
    }
}
