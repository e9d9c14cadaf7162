package io.iocluster.door.spool;

import io.iocluster.settings.DurationText;
import java.time.Duration;
import org.slf4j.Logger;

/** Logs when calls begin to wait in the spool, and when none waits any more. Confined to the spool's thread. */
final class BacklogLog {

    /** Calls wait if the oldest one is older. A broker in service confirms them sooner. */
    private static final double WAITING_SECONDS = 5;

    private final Logger log;
    private boolean waiting;
    private long sinceNanos;
    private long forwardedBefore;

    BacklogLog(Logger log) {
        this.log = log;
    }

    void update(SpoolStatus status) {
        boolean now = status.oldestSeconds() > WAITING_SECONDS;
        if (now && !waiting) {
            sinceNanos = System.nanoTime();
            forwardedBefore = status.forwarded();
            log.warn(
                    "Calls wait in the spool, because the broker does not accept them, or the disk cannot be read"
                            + " calls={} bytes={}",
                    status.calls(),
                    status.bytes());
        } else if (!now && waiting) {
            log.info(
                    "Spool forwarded after={} forwarded={} calls={}",
                    DurationText.format(Duration.ofSeconds((System.nanoTime() - sinceNanos) / 1_000_000_000)),
                    status.forwarded() - forwardedBefore,
                    status.calls());
        }
        waiting = now;
    }
}
