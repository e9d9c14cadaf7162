package io.iocluster.pipeline;

import io.iocluster.http.HttpSettings;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.Delivery;

/**
 * Says until when a call may last: an envelope's own deadline and its record's time to live start when the record was put on
 * the queue, the node's default when the record is taken, so that lag alone never makes a call expire. Immutable.
 */
final class Deadlines {

    private final NodeClock clock;
    private final long timeoutNanos;
    private final long deadlineNanos;
    private final long maxDeadlineNanos;

    Deadlines(HttpSettings settings, NodeClock clock) {
        this.clock = clock;
        this.timeoutNanos = settings.timeout().toNanos();
        this.deadlineNanos = settings.deadline().toNanos();
        this.maxDeadlineNanos = settings.maxDeadline().toNanos();
    }

    /** Starts the clock of a message that is taken now; the envelope is null if it is none. */
    CallClock start(Delivery delivery, RequestEnvelope envelope) {
        long now = clock.nanos();
        long timestampMillis = delivery.timestampMillis();
        long queued = timestampMillis < 0 ? -1 : Math.max(0, clock.wallMillis() - timestampMillis);
        long left = deadlineNanos;
        long timeout = timeoutNanos;
        if (envelope != null && envelope.deadlineMs() > 0) {
            left = nanos(envelope.deadlineMs() - Math.max(0, queued));
        }
        if (delivery.timeToLiveMillis() >= 0) {
            left = Math.min(left, nanos(delivery.timeToLiveMillis() - Math.max(0, queued)));
        }
        if (envelope != null && envelope.timeoutMs() > 0) {
            timeout = nanos(envelope.timeoutMs());
        }
        return new CallClock(queued, now, now + left, timeout);
    }

    private long nanos(long millis) {
        return millis >= maxDeadlineNanos / 1_000_000 ? maxDeadlineNanos : millis * 1_000_000;
    }
}
