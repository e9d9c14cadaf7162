package io.iocluster.node.consul;

import java.nio.charset.StandardCharsets;

/**
 * What an agent answered.
 *
 * @param index its {@code X-Consul-Index}; negative if there was none
 */
record AgentResponse(int status, long index, byte[] body) {

    private static final int LONGEST_REASON = 200;

    boolean isFound() {
        return status != 404;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The status and the first line of the body, for people. */
    String reason() {
        String line = text().lines().findFirst().orElse("").trim();
        String shortened = line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line;
        return "status " + status + (shortened.isEmpty() ? "" : ", " + shortened);
    }
}
