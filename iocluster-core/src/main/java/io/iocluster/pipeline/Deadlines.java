package io.iocluster.pipeline;

import io.iocluster.destination.DestinationPolicy;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PutOff;

/**
 * Says until when a call may last: an envelope's own deadline and its record's time to live start when the record was put on
 * the queue, the destination's default when the record is taken, so that lag alone never makes a call expire. Immutable.
 */
final class Deadlines {

    private final NodeClock clock;
    private final HttpSettings defaults;
    private final long maxDeadlineNanos;
    private final long maxTimeoutNanos;

    Deadlines(HttpSettings settings, NodeClock clock) {
        this.clock = clock;
        this.defaults = settings;
        this.maxDeadlineNanos = settings.maxDeadline().toNanos();
        this.maxTimeoutNanos = settings.maxTimeout().toNanos();
    }

    /** Starts the clock of a message that is taken now and will not be tried. */
    CallClock start(Delivery delivery) {
        return start(
                delivery,
                null,
                defaults.timeout().toNanos(),
                defaults.deadline().toNanos());
    }

    /** Starts the clock of a call that is taken now. */
    CallClock start(Delivery delivery, RequestEnvelope envelope, DestinationPolicy policy) {
        return start(
                delivery,
                envelope,
                policy.timeout().toNanos(),
                policy.deadline().toNanos());
    }

    /** Starts the clock of a call again that was put off: neither its deadline nor its time on the queue begins anew. */
    CallClock start(Delivery delivery, RequestEnvelope envelope, DestinationPolicy policy, PutOff earlier) {
        CallClock anew = start(delivery, envelope, policy);
        long wall = clock.wallMillis();
        long left = nanos(earlier.deadline().toEpochMilli() - wall);
        long queued = earlier.queued() == null
                ? -1
                : Math.max(0, wall - earlier.queued().toEpochMilli());
        return new CallClock(queued, anew.takenNanos(), anew.takenNanos() + left, anew.timeoutNanos());
    }

    /** Starts the one clock of several calls that are taken now. */
    CallClock start(Delivery delivery, RequestEnvelope several) {
        return start(
                delivery,
                several,
                defaults.timeout().toNanos(),
                defaults.deadline().toNanos());
    }

    /** The clock of one of them. */
    CallClock ofBranch(CallClock whole, RequestEnvelope branch, DestinationPolicy policy) {
        return whole.ofBranch(timeoutNanos(branch, policy.timeout().toNanos()));
    }

    /** Whether there is no time left. */
    boolean hasPassed(CallClock started) {
        return started.leftNanos(clock.nanos()) <= 0;
    }

    private CallClock start(Delivery delivery, RequestEnvelope envelope, long timeoutNanos, long deadlineNanos) {
        long now = clock.nanos();
        long timestampMillis = delivery.timestampMillis();
        long queued = timestampMillis < 0 ? -1 : Math.max(0, clock.wallMillis() - timestampMillis);
        long left = Math.min(deadlineNanos, maxDeadlineNanos);
        if (envelope != null && envelope.deadlineMs() > 0) {
            left = nanos(envelope.deadlineMs() - Math.max(0, queued));
        }
        if (delivery.timeToLiveMillis() >= 0) {
            left = Math.min(left, nanos(delivery.timeToLiveMillis() - Math.max(0, queued)));
        }
        return new CallClock(queued, now, now + left, timeoutNanos(envelope, timeoutNanos));
    }

    /** Returns the envelope's timeout, cut to what the node allows, or else the destination's own. */
    private long timeoutNanos(RequestEnvelope envelope, long ownNanos) {
        if (envelope == null || envelope.timeoutMs() <= 0) {
            return ownNanos;
        }
        return Math.min(nanos(envelope.timeoutMs()), Math.max(maxTimeoutNanos, ownNanos));
    }

    private long nanos(long millis) {
        return millis >= maxDeadlineNanos / 1_000_000 ? maxDeadlineNanos : millis * 1_000_000;
    }
}
