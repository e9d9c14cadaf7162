package io.iocluster.cache.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.log.LogThrottle;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the beginning and the end of each time in which the shared cache cannot be used. Thread-safe. */
final class SharedOutage {

    private static final Logger LOG = LoggerFactory.getLogger(SharedOutage.class);

    private final String address;
    private final LongSupplier nanos;
    private final LogThrottle lines;

    @GuardedBy("this")
    private boolean connectedBefore;

    @GuardedBy("this")
    private long startNanos;

    /** Null while the cache can be used. */
    @GuardedBy("this")
    private String reason;

    @GuardedBy("this")
    private boolean logged;

    SharedOutage(String address, LongSupplier nanos) {
        this.address = address;
        this.nanos = nanos;
        this.lines = new LogThrottle(nanos.getAsLong());
    }

    /** The cache cannot be used. Does nothing during an outage. */
    synchronized void begin(String why) {
        if (reason != null) {
            return;
        }
        startNanos = nanos.getAsLong();
        reason = why;
        long suppressed = lines.pollSuppressed(startNanos);
        logged = suppressed != LogThrottle.NOT_DUE;
        if (logged) {
            LOG.warn(
                    "Shared cache not usable; calls are made without it address={} reason=\"{}\" suppressed={}",
                    address,
                    why,
                    suppressed);
        }
    }

    /** The cache can be used. Does nothing outside an outage, except the first time. */
    synchronized void end() {
        if (reason != null) {
            if (logged) {
                LOG.info(
                        "Shared cache usable again address={} after={}ms",
                        address,
                        duration().toMillis());
            }
            reason = null;
        } else if (!connectedBefore) {
            LOG.info("Shared cache connected address={}", address);
        }
        connectedBefore = true;
    }

    /** Returns how long the current outage has lasted; zero outside one. */
    synchronized Duration duration() {
        return reason == null ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - startNanos);
    }

    /** Returns why the cache cannot be used; null if it can. */
    synchronized String reason() {
        return reason;
    }
}
