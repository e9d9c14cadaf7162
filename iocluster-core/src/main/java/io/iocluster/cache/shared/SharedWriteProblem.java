package io.iocluster.cache.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.log.LogThrottle;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers why the last write to the shared cache failed. Logs at most one failure a minute, and the first write that succeeds afterwards.
 * Thread-safe.
 */
final class SharedWriteProblem {

    private static final Logger LOG = LoggerFactory.getLogger(SharedWriteProblem.class);

    private final String address;
    private final LongSupplier nanos;
    private final LogThrottle lines;
    private volatile String reason;

    @GuardedBy("this")
    private boolean logged;

    SharedWriteProblem(String address, LongSupplier nanos) {
        this.address = address;
        this.nanos = nanos;
        this.lines = new LogThrottle(nanos.getAsLong(), Duration.ofMinutes(1));
    }

    /** Returns why the last write failed; null if it succeeded. */
    String reason() {
        return reason;
    }

    /** Records a failed write. */
    synchronized void failed(String why) {
        reason = why;
        long suppressed = lines.pollSuppressed(nanos.getAsLong());
        if (suppressed != LogThrottle.NOT_DUE) {
            logged = true;
            LOG.warn(
                    "Shared cache does not store responses, so other nodes do not find them address={} reason=\"{}\""
                            + " suppressed={}",
                    address,
                    why,
                    suppressed);
        }
    }

    /** Records a write that succeeded. Cheap if there is no problem. */
    void succeeded() {
        if (reason != null) {
            recover();
        }
    }

    private synchronized void recover() {
        reason = null;
        if (logged) {
            logged = false;
            LOG.info("Shared cache stores responses again address={}", address);
        }
    }
}
