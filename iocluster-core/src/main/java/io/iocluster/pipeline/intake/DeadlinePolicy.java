package io.iocluster.pipeline.intake;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.pipeline.call.CallDeadline;
import io.iocluster.pipeline.call.MessageTimestamp;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;

/**
 * Computes the deadline of each call. The envelope's deadline and the message's time to live start at the message's timestamp. The
 * destination's default starts when the node reads the message, so that lag alone never makes a call expire. Immutable.
 */
public final class DeadlinePolicy {

    private final NodeClock clock;
    private final HttpSettings defaults;
    private final long maxDeadlineNanos;
    private final long maxTimeoutNanos;

    public DeadlinePolicy(HttpSettings settings, NodeClock clock) {
        this.clock = clock;
        this.defaults = settings;
        this.maxDeadlineNanos = settings.maxDeadline().toNanos();
        this.maxTimeoutNanos = settings.maxTimeout().toNanos();
    }

    /**
     * Returns the deadline of a message that was read now and has no call.
     *
     * @param earlier the state of a delayed retry, which keeps the deadline and the queue time of its first message; null for another message
     */
    CallDeadline start(Delivery delivery, DelayedRetry earlier) {
        return continued(
                start(
                        delivery,
                        null,
                        defaults.timeout().toNanos(),
                        defaults.deadline().toNanos()),
                earlier);
    }

    /**
     * Returns the deadline of a call whose message was read now.
     *
     * @param earlier the state of a delayed retry, which keeps the deadline and the queue time of its first message; null for another message
     */
    CallDeadline start(Delivery delivery, RequestEnvelope envelope, DestinationPolicy policy, DelayedRetry earlier) {
        return continued(
                start(
                        delivery,
                        envelope,
                        policy.timeout().toNanos(),
                        policy.deadline().toNanos()),
                earlier);
    }

    private CallDeadline continued(CallDeadline fresh, DelayedRetry earlier) {
        if (earlier == null) {
            return fresh;
        }
        long wall = clock.wallMillis();
        long left = nanos(earlier.deadline().toEpochMilli() - wall);
        long queued = earlier.queuedAt() == null
                ? -1
                : Math.max(0, wall - earlier.queuedAt().toEpochMilli());
        return new CallDeadline(
                queued, fresh.receivedNanos(), fresh.receivedNanos() + left, fresh.attemptTimeoutNanos());
    }

    /** Returns the deadline that all branches of a scatter-gather message share. */
    CallDeadline start(Delivery delivery, RequestEnvelope scatter) {
        return start(
                delivery,
                scatter,
                defaults.timeout().toNanos(),
                defaults.deadline().toNanos());
    }

    /** Returns the deadline of one branch, with its own attempt timeout. */
    CallDeadline forBranch(CallDeadline whole, RequestEnvelope branch, DestinationPolicy policy) {
        return whole.withAttemptTimeout(timeoutNanos(branch, policy.timeout().toNanos()));
    }

    /** Returns whether the deadline does not count from the message's timestamp, because the timestamp cannot be right. */
    boolean ignoresTimestamp(Delivery delivery) {
        return MessageTimestamp.isIgnored(delivery, clock.wallMillis());
    }

    /** Returns whether no time is left. */
    boolean isExpired(CallDeadline started) {
        return started.remainingNanos(clock.nanos()) <= 0;
    }

    private CallDeadline start(Delivery delivery, RequestEnvelope envelope, long timeoutNanos, long deadlineNanos) {
        long now = clock.nanos();
        long wall = clock.wallMillis();
        long timestampMillis = MessageTimestamp.of(delivery, wall);
        long queued = timestampMillis < 0 ? -1 : Math.max(0, wall - timestampMillis);
        long left = Math.min(deadlineNanos, maxDeadlineNanos);
        if (envelope != null && envelope.deadlineMs() > 0) {
            left = nanos(envelope.deadlineMs() - Math.max(0, queued));
        }
        if (delivery.timeToLiveMillis() >= 0) {
            left = Math.min(left, nanos(delivery.timeToLiveMillis() - Math.max(0, queued)));
        }
        return new CallDeadline(queued, now, now + left, timeoutNanos(envelope, timeoutNanos));
    }

    /** Returns the envelope's timeout, limited by {@code http.max-timeout}, or else the destination's own. */
    private long timeoutNanos(RequestEnvelope envelope, long destinationNanos) {
        if (envelope == null || envelope.timeoutMs() <= 0) {
            return destinationNanos;
        }
        return Math.min(nanos(envelope.timeoutMs()), Math.max(maxTimeoutNanos, destinationNanos));
    }

    private long nanos(long millis) {
        return millis >= maxDeadlineNanos / 1_000_000 ? maxDeadlineNanos : millis * 1_000_000;
    }
}
