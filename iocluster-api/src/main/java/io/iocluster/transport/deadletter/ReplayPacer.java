package io.iocluster.transport.deadletter;

import io.iocluster.settings.Rate;
import io.iocluster.thread.Platform;
import java.time.Duration;

/** Limits the rate of a replay and the size of its batches. Confined to one thread. */
public final class ReplayPacer {

    /** Large enough to amortize a commit or a confirm, small enough for little repeated work after a kill. */
    private static final int MAX_BATCH = 500;

    private final double perSecond;
    private final Platform platform;
    private final long start;
    private long sent;

    /** Starts to count the time. */
    public ReplayPacer(Rate rate, Platform platform) {
        this.platform = platform;
        this.start = platform.nanos();
        this.perSecond =
                rate.isUnlimited() ? 0 : rate.count() * 1e9 / rate.per().toNanos();
    }

    /** Returns the largest number of messages to send together; about a tenth of a second's share. */
    public int batch() {
        return perSecond == 0 ? MAX_BATCH : (int) Math.max(1, Math.min(MAX_BATCH, perSecond / 10));
    }

    /** Waits until the messages that were sent so far fit the rate. */
    public void sent(int messages) throws InterruptedException {
        sent += messages;
        if (perSecond > 0) {
            long due = start + (long) (sent / perSecond * 1e9);
            long wait = due - platform.nanos();
            if (wait > 0) {
                platform.sleep(Duration.ofNanos(wait));
            }
        }
    }
}
