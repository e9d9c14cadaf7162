package io.iocluster.simulation.cluster;

import java.util.List;

/**
 * A call that an app sends.
 *
 * @param id the envelope's id, unique in a run
 * @param atMillis when it is sent
 * @param hosts one, or several for an envelope with {@code mode}
 * @param mode {@code any} or {@code all}; null for a single call
 * @param deadlineMs 0 for none
 * @param timeoutMs 0 for none
 * @param replyTo null for the default queue
 * @param reply {@code always}, {@code failures} or {@code never}
 */
public record PlannedCall(
        String id,
        long atMillis,
        String app,
        List<String> hosts,
        String mode,
        String method,
        long deadlineMs,
        long timeoutMs,
        int maxAttempts,
        boolean idempotencyKey,
        String replyTo,
        String reply) {

    /** Returns the envelope. */
    String envelope() {
        StringBuilder json = new StringBuilder("{\"id\":\"").append(id).append('"');
        if (mode == null) {
            json.append(',').append(request(hosts.get(0)));
        } else {
            json.append(",\"").append(mode).append("\":[");
            for (int i = 0; i < hosts.size(); i++) {
                json.append(i == 0 ? "{" : ",{").append(request(hosts.get(i))).append('}');
            }
            json.append(']');
        }
        if (deadlineMs > 0) {
            json.append(",\"deadlineMs\":").append(deadlineMs);
        }
        if (replyTo != null) {
            json.append(",\"replyTo\":\"").append(replyTo).append('"');
        }
        if (!"always".equals(reply)) {
            json.append(",\"reply\":\"").append(reply).append('"');
        }
        return json.append('}').toString();
    }

    private String request(String host) {
        StringBuilder json =
                new StringBuilder("\"url\":\"https://").append(host).append("/\"");
        json.append(",\"method\":\"").append(method).append('"');
        json.append(",\"headers\":{\"x-call\":\"").append(id).append("\"}");
        if (!"GET".equals(method)) {
            json.append(",\"body\":\"x\"");
        }
        if (timeoutMs > 0) {
            json.append(",\"timeoutMs\":").append(timeoutMs);
        }
        if (maxAttempts > 0) {
            json.append(",\"retry\":{\"maxAttempts\":").append(maxAttempts).append('}');
        }
        if (idempotencyKey) {
            json.append(",\"idempotencyKey\":\"").append(id).append('"');
        }
        return json.toString();
    }

    @Override
    public String toString() {
        return atMillis + " ms: " + app + " sends " + envelope();
    }
}
