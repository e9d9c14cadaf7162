package io.iocluster.node.chaos.node;

import java.util.ArrayList;
import java.util.List;

/** The configuration of the nodes for each transport. Limits are small, so that only few repeats are allowed. */
public final class ChaosSettings {

    public static final int THREADS = 2;
    public static final int MAX_IN_FLIGHT = 100;
    public static final int MAX_UNCONFIRMED = 200;
    public static final int MAX_ATTEMPTS = 3;
    public static final int DEADLINE_MILLIS = 4_000;

    private ChaosSettings() {}

    /**
     * Returns the lines of a configuration.
     *
     * @param transport lines of the transport's section, already indented
     */
    public static String[] lines(String... transport) {
        List<String> lines = new ArrayList<>(List.of(transport));
        lines.add("workers: {threads: %d, max-in-flight: %d, max-unconfirmed: %d}"
                .formatted(THREADS, MAX_IN_FLIGHT, MAX_UNCONFIRMED));
        lines.add("http: {timeout: 1s, deadline: %dms, connect-timeout: 1s, idle-timeout: 20s}"
                .formatted(DEADLINE_MILLIS));
        lines.add("retry: {max-attempts: %d, base-delay: 50ms}".formatted(MAX_ATTEMPTS));
        lines.add("shutdown: {drain-timeout: 10s}");
        return lines.toArray(String[]::new);
    }
}
