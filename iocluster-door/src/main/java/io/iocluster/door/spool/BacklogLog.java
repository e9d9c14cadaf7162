package io.iocluster.door.spool;

import io.iocluster.settings.DurationText;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import org.slf4j.Logger;

/** Logs when calls begin to wait in the spool, and when none waits any more. Confined to the spool's thread. */
final class BacklogLog {

    /** Calls wait if the oldest one is older. A broker in service confirms them sooner. */
    private static final double WAITING_SECONDS = 5;

    private final Logger log;
    private final NodeClock clock;
    private boolean waiting;
    private long sinceNanos;
    private long forwardedBefore;

    BacklogLog(Logger log, NodeClock clock) {
        this.log = log;
        this.clock = clock;
    }

    void update(SpoolStatus status) {
        boolean now = status.oldestSeconds() > WAITING_SECONDS;
        if (now && !waiting) {
            sinceNanos = clock.nanos();
            forwardedBefore = status.forwarded();
            log.warn(
                    "Calls wait in the spool, because the broker does not accept them, or the disk cannot be read"
                            + " calls={} bytes={}",
                    status.calls(),
                    status.bytes());
        } else if (!now && waiting) {
            log.info(
                    "Spool forwarded after={} forwarded={} calls={}",
                    DurationText.format(Duration.ofSeconds((clock.nanos() - sinceNanos) / 1_000_000_000)),
                    status.forwarded() - forwardedBefore,
                    status.calls());
        }
        waiting = now;
    }
}
