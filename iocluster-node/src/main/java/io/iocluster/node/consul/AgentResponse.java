package io.iocluster.node.consul;

import java.nio.charset.StandardCharsets;

/**
 * An HTTP response of the agent.
 *
 * @param index value of {@code X-Consul-Index}; negative if the response has none
 */
record AgentResponse(int status, long index, byte[] body) {

    private static final int MAX_REASON_LENGTH = 200;

    boolean isFound() {
        return status != 404;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Returns the status and the first line of the body, for operators. */
    String reason() {
        String line = text().lines().findFirst().orElse("").trim();
        String shortened = line.length() > MAX_REASON_LENGTH ? line.substring(0, MAX_REASON_LENGTH) + "…" : line;
        return "status " + status + (shortened.isEmpty() ? "" : ", " + shortened);
    }
}
