package io.iocluster.lab.load.target;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.experiment.SystemUnderTest;
import java.io.IOException;
import java.util.Locale;

/** Sends calls. Thread-safe. */
public interface LoadTarget extends AutoCloseable {

    /**
     * Sends a call without blocking. Ends it exactly once, maybe before this method returns, and at the latest by its deadline or
     * {@link #close}.
     */
    void send(CallSpec call, CallObserver observer);

    /** Ends the calls that are under way, and disconnects. Blocks for a few seconds at most. */
    @Override
    void close();

    /**
     * Connects to the system under test.
     *
     * @param clientName name of the client at the broker
     * @throws IOException if it is unreachable; the message is for the user
     */
    static LoadTarget connect(SystemUnderTest system, String clientName) throws IOException {
        return switch (system.kind()) {
            case KAFKA, RABBIT -> connectCluster(system, clientName);
            case HTTP -> new HttpTarget(system.maxOutstanding());
        };
    }

    private static LoadTarget connectCluster(SystemUnderTest system, String clientName) throws IOException {
        try {
            return ClusterTarget.connect(system, clientName);
        } catch (IOException failed) {
            throw new IOException(
                    "cannot connect to " + system.description() + ": " + failed.getMessage() + "; check system."
                            + system.kind().name().toLowerCase(Locale.ROOT)
                            + " of the experiment, and whether the broker runs",
                    failed);
        }
    }
}
