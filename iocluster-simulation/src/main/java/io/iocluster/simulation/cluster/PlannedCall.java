package io.iocluster.simulation.cluster;

import io.iocluster.simulation.network.Network;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A call that an app sends.
 *
 * @param id the envelope's id, unique in a run
 * @param atMillis when it is sent
 * @param urls one, or several for an envelope with {@code mode}
 * @param mode {@code any} or {@code all}; null for a single call
 * @param deadlineMs 0 for none
 * @param timeoutMs 0 for none
 * @param maxAttempts 0 for the default
 * @param replyTo null for the default queue
 * @param reply {@code always}, {@code failures} or {@code never}
 */
public record PlannedCall(
        String id,
        long atMillis,
        String app,
        List<String> urls,
        String mode,
        String method,
        long deadlineMs,
        long timeoutMs,
        int maxAttempts,
        boolean idempotencyKey,
        String replyTo,
        String reply,
        Flaw flaw) {

    /** What is wrong with the envelope. */
    public enum Flaw {
        NONE,
        NOT_JSON,
        UNKNOWN_FIELD
    }

    /** Returns the context that the answer must repeat. */
    public String context() {
        return "{\"of\":\"" + id + "\"}";
    }

    /** Returns whether a failed attempt may be repeated although the target may have processed it. */
    public boolean isRepeatable() {
        return idempotencyKey || method.equals("GET");
    }

    /** Returns the hosts that it calls. */
    public List<String> hosts() {
        return urls.stream().map(url -> url.split("/")[2]).toList();
    }

    /** Returns the bytes of the message. */
    byte[] message() {
        String envelope = envelope();
        return (flaw == Flaw.NOT_JSON ? envelope.substring(1) : envelope).getBytes(StandardCharsets.UTF_8);
    }

    private String envelope() {
        StringBuilder json = new StringBuilder("{\"id\":\"").append(id).append('"');
        if (mode == null) {
            json.append(',').append(request(0));
        } else {
            json.append(",\"").append(mode).append("\":[");
            for (int i = 0; i < urls.size(); i++) {
                json.append(i == 0 ? "{" : ",{").append(request(i)).append('}');
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
        if (flaw == Flaw.UNKNOWN_FIELD) {
            json.append(",\"deadline\":1");
        }
        return json.append(",\"context\":").append(context()).append('}').toString();
    }

    private String request(int branch) {
        StringBuilder json =
                new StringBuilder("\"url\":\"").append(urls.get(branch)).append('"');
        json.append(",\"method\":\"").append(method).append('"');
        json.append(",\"headers\":{\"")
                .append(Network.CALL_HEADER)
                .append("\":\"")
                .append(id)
                .append('/')
                .append(branch)
                .append("\"}");
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
        return atMillis + " ms: " + app + " sends " + new String(message(), StandardCharsets.UTF_8);
    }
}
