package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;

/**
 * Says until when a call may last: an envelope's own deadline and its record's time to live start when the record was put on
 * the queue, the destination's default when the record is taken, so that lag alone never makes a call expire. Immutable.
 */
final class DeadlinePolicy {

    private final NodeClock clock;
    private final HttpSettings defaults;
    private final long maxDeadlineNanos;
    private final long maxTimeoutNanos;

    DeadlinePolicy(HttpSettings settings, NodeClock clock) {
        this.clock = clock;
        this.defaults = settings;
        this.maxDeadlineNanos = settings.maxDeadline().toNanos();
        this.maxTimeoutNanos = settings.maxTimeout().toNanos();
    }

    /** Starts the clock of a message that is taken now and will not be tried. */
    CallDeadline start(Delivery delivery) {
        return start(
                delivery,
                null,
                defaults.timeout().toNanos(),
                defaults.deadline().toNanos());
    }

    /** Starts the clock of a call that is taken now. */
    CallDeadline start(Delivery delivery, RequestEnvelope envelope, DestinationPolicy policy) {
        return start(
                delivery,
                envelope,
                policy.timeout().toNanos(),
                policy.deadline().toNanos());
    }

    /** Starts the clock of a call again that was put off: neither its deadline nor its time on the queue begins anew. */
    CallDeadline start(Delivery delivery, RequestEnvelope envelope, DestinationPolicy policy, DelayedRetry earlier) {
        CallDeadline anew = start(delivery, envelope, policy);
        long wall = clock.wallMillis();
        long left = nanos(earlier.deadline().toEpochMilli() - wall);
        long queued = earlier.queuedAt() == null
                ? -1
                : Math.max(0, wall - earlier.queuedAt().toEpochMilli());
        return new CallDeadline(queued, anew.receivedNanos(), anew.receivedNanos() + left, anew.attemptTimeoutNanos());
    }

    /** Starts the one clock of several calls that are taken now. */
    CallDeadline start(Delivery delivery, RequestEnvelope several) {
        return start(
                delivery,
                several,
                defaults.timeout().toNanos(),
                defaults.deadline().toNanos());
    }

    /** The clock of one of them. */
    CallDeadline forBranch(CallDeadline whole, RequestEnvelope branch, DestinationPolicy policy) {
        return whole.withAttemptTimeout(timeoutNanos(branch, policy.timeout().toNanos()));
    }

    /** Whether there is no time left. */
    boolean isExpired(CallDeadline started) {
        return started.remainingNanos(clock.nanos()) <= 0;
    }

    private CallDeadline start(Delivery delivery, RequestEnvelope envelope, long timeoutNanos, long deadlineNanos) {
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
        return new CallDeadline(queued, now, now + left, timeoutNanos(envelope, timeoutNanos));
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
