package io.iocluster.pipeline;

import io.iocluster.destination.WhenFull;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.PutOff;
import io.iocluster.transport.ResponseSink;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls that wait with the broker instead of in the node (docs/adr/0013-long-waits-are-the-brokers.md): which these are, and
 * how they get there. Only the one call of a message can, for a message cannot be put off in part. Stateless; from any thread.
 */
final class Delays {

    private static final Logger LOG = LoggerFactory.getLogger(Delays.class);

    private final ResponseSink sink;
    private final Replies replies;
    private final NodeClock clock;

    Delays(ResponseSink sink, Replies replies, NodeClock clock) {
        this.sink = sink;
        this.replies = replies;
        this.clock = clock;
    }

    /** For how long the broker is to keep a call that has to wait this long; empty if it waits in the node. */
    Optional<Duration> of(Call call, Duration wait) {
        if (call.ending != replies
                || wait.compareTo(call.target.policy().retry().delayedAfter()) <= 0) {
            return Optional.empty();
        }
        List<Duration> delays = sink.delays();
        for (int i = delays.size() - 1; i >= 0; i--) {
            if (delays.get(i).compareTo(wait) <= 0) {
                return Optional.of(delays.get(i));
            }
        }
        return Optional.empty();
    }

    /** For how long the broker is to keep a call that its destination has no room for; empty if it fails. */
    Optional<Duration> whenFull(Call call) {
        if (call.ending != replies || call.target.policy().whenFull() != WhenFull.DELAY) {
            return Optional.empty();
        }
        long left = call.clock.leftNanos(clock.nanos());
        return sink.delays().stream().findFirst().filter(delay -> delay.toNanos() < left);
    }

    /** How long a call is not to be tried yet, for it came back before it was due; zero or less if it may be. */
    long earlyMillis(Call call) {
        return call.earlier() == null ? 0 : call.earlier().due().toEpochMilli() - clock.wallMillis();
    }

    /** How long the call's message was on its queue without need, negative if nobody knows. */
    long queuedMillis(Call call) {
        return call.earlier() == null ? call.clock.queuedMillis() : Math.max(0, -earlyMillis(call));
    }

    /**
     * Gives a call to the broker; the message is acknowledged when the broker has confirmed that it holds it, and goes back to
     * the queue otherwise.
     *
     * @param call that {@linkplain Call#end has ended}
     * @param wait until its next attempt
     * @param delay how much of that the broker keeps it
     * @param tooLarge ends the call with its result so far, if its message does not fit the topic or queue
     */
    void putOff(Call call, Duration wait, Duration delay, Runnable tooLarge) {
        try {
            publish(call, wait, delay, tooLarge);
        } catch (Throwable bug) {
            replies.release(call, "delayed retry", String.valueOf(bug), bug);
        }
    }

    private void publish(Call call, Duration wait, Duration delay, Runnable tooLarge) {
        if (!call.delivery.begin()) {
            replies.release(call); // The node that has the message now delays it.
            return;
        }
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        Instant deadline = now.plusNanos(call.clock.leftNanos(clock.nanos()));
        PutOff state = new PutOff(call.origin(), call.attempts, call.sent, queued(call), deadline, now.plus(wait));
        LOG.debug("{} waits with the broker, until {}", call.delivery.coordinates(), state.due());
        sink.putOff(call.delivery, delay, state).whenComplete((result, bug) -> {
            if (result instanceof PublishResult.Confirmed) {
                replies.acknowledgePutOff(call);
            } else if (result instanceof PublishResult.TooLarge) {
                tooLarge.run();
            } else {
                replies.release(call, "delayed retry", PublishResult.problem(result), bug);
            }
        });
    }

    private static Instant queued(Call call) {
        if (call.earlier() != null) {
            return call.earlier().queued();
        }
        long timestamp = call.delivery.timestampMillis();
        return timestamp < 0 ? null : Instant.ofEpochMilli(timestamp);
    }
}
