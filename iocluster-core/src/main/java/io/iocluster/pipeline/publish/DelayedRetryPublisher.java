package io.iocluster.pipeline.publish;

import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.log.LogThrottle;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.MessageTimestamp;
import io.iocluster.pipeline.outbox.PublishBackoff;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Selects the calls whose retry waits with the broker instead of in the node, and publishes them
 * (docs/adr/0013-delayed-retries-wait-in-the-broker.md). Branches of a scatter-gather message never do, because a message cannot be
 * delayed in part. Thread-safe, except {@link #tick}.
 */
public final class DelayedRetryPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(DelayedRetryPublisher.class);
    private static final String WHAT = "delayed retry";
    /** Failures after which the call ends. With the backoff between them, this takes about 1.5 s. */
    private static final int MAX_FAILURES = 5;

    private final ResponseSink sink;
    private final AnswerPublisher answerPublisher;
    private final NodeClock clock;
    private final LogThrottle refusedLog;
    /** Retries that the broker refused and that will be published again. */
    private final Queue<Delayed> failed = new ConcurrentLinkedQueue<>();

    private volatile boolean closed;

    public DelayedRetryPublisher(ResponseSink sink, AnswerPublisher answerPublisher, NodeClock clock) {
        this.sink = sink;
        this.answerPublisher = answerPublisher;
        this.clock = clock;
        this.refusedLog = new LogThrottle(LOG, clock::nanos);
    }

    /** Returns the broker's delay for a call that has to wait this long; empty if the call waits in the node. */
    public Optional<Duration> selectDelay(Call call, Duration wait) {
        if (call.listener() != answerPublisher
                || wait.compareTo(call.target().policy().retry().delayedAfter()) <= 0) {
            return Optional.empty();
        }
        List<Duration> delays = sink.supportedDelays();
        for (int i = delays.size() - 1; i >= 0; i--) {
            if (delays.get(i).compareTo(wait) <= 0) {
                return Optional.of(delays.get(i));
            }
        }
        return Optional.empty();
    }

    /** Returns the broker's delay for a call that its destination cannot accept; empty if the call fails. */
    public Optional<Duration> selectDelayWhenFull(Call call) {
        if (call.listener() != answerPublisher || call.target().policy().whenFull() != QueueFullPolicy.DELAY) {
            return Optional.empty();
        }
        long left = call.deadline().remainingNanos(clock.nanos());
        return sink.supportedDelays().stream().findFirst().filter(delay -> delay.toNanos() < left);
    }

    /** Returns the time until a delayed retry is due, because the broker may redeliver it early; zero or less if the call may start. */
    public long millisUntilDue(Call call) {
        return call.delayedRetry() == null ? 0 : call.delayedRetry().dueAt().toEpochMilli() - clock.wallMillis();
    }

    /** Returns the queue wait, excluding the delay of a delayed retry; negative if unknown. */
    public long queueWaitMillis(Call call) {
        return call.delayedRetry() == null ? call.deadline().queueWaitMillis() : Math.max(0, -millisUntilDue(call));
    }

    /**
     * Publishes a call for a delayed retry, and again if the broker refuses it. Acknowledges the original message after the broker has
     * confirmed the delayed one.
     *
     * @param call that {@linkplain Call#tryEnd has ended}
     * @param wait time until the next attempt
     * @param delay how long the broker delays the message, at most {@code wait}
     * @param tooLarge ends the call if its message does not fit the topic or queue
     * @param refused ends the call after the broker has refused it {@value #MAX_FAILURES} times
     */
    public void delay(Call call, Duration wait, Duration delay, Runnable tooLarge, Runnable refused) {
        try {
            if (call.delivery().claim()) {
                publish(new Delayed(call, delay, state(call, wait), tooLarge, refused));
            } else {
                answerPublisher.release(call); // Another node has received the message, and delays it.
            }
        } catch (Throwable bug) {
            answerPublisher.release(call, WHAT, String.valueOf(bug), bug);
        }
    }

    private DelayedRetry state(Call call, Duration wait) {
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        Instant deadline = now.plusNanos(call.deadline().remainingNanos(clock.nanos()));
        return new DelayedRetry(
                call.originCoordinates(),
                call.progress().attempts(),
                call.progress().sent(),
                queuedAt(call),
                deadline,
                now.plus(wait));
    }

    private void publish(Delayed delayed) {
        Call call = delayed.call;
        LOG.debug(
                "Publishing a delayed retry request={} dueAt={}",
                call.delivery().coordinates(),
                delayed.state.dueAt());
        sink.publishDelayedRetry(call.delivery(), delayed.delay, delayed.state).whenComplete((result, bug) -> {
            try {
                handleResult(delayed, result, bug);
            } catch (Throwable defect) {
                answerPublisher.release(call, WHAT, String.valueOf(defect), defect);
            }
        });
    }

    private void handleResult(Delayed delayed, PublishResult result, Throwable bug) {
        if (result instanceof PublishResult.Confirmed) {
            answerPublisher.acknowledgeDelayed(delayed.call);
        } else if (result instanceof PublishResult.TooLarge) {
            delayed.tooLarge.run();
        } else {
            handleFailure(delayed, bug == null ? PublishResult.problem(result) : String.valueOf(bug));
        }
    }

    private void handleFailure(Delayed delayed, String problem) {
        delayed.failures++;
        delayed.problem = problem;
        if (delayed.failures >= MAX_FAILURES || delayed.call.deadline().remainingNanos(clock.nanos()) <= 0) {
            endCall(delayed);
            return;
        }
        delayed.notBeforeNanos = clock.nanos() + PublishBackoff.nanosAfter(delayed.failures);
        failed.add(delayed);
        if (closed) {
            close();
        }
    }

    private void endCall(Delayed delayed) {
        refusedLog.log(
                Level.WARN,
                delayed.call::addTo,
                "Delayed retry not published; ending the call request={} problem={}",
                delayed.call.delivery().coordinates(),
                delayed.problem);
        delayed.refused.run();
    }

    /** Publishes refused retries again when their backoff ends. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        long now = clock.nanos();
        for (Delayed delayed : failed) {
            if (now - delayed.notBeforeNanos >= 0 && failed.remove(delayed)) {
                try {
                    publish(delayed);
                } catch (Throwable bug) {
                    answerPublisher.release(delayed.call, WHAT, String.valueOf(bug), bug);
                }
            }
        }
    }

    /** Releases the messages of retries that wait to be published again, because the node stops. */
    public void close() {
        closed = true;
        for (Delayed delayed = failed.poll(); delayed != null; delayed = failed.poll()) {
            answerPublisher.release(delayed.call, WHAT, delayed.problem, null);
        }
    }

    /** A call that is being published for a delayed retry. Used by one thread at a time. */
    private static final class Delayed {

        private final Call call;
        private final Duration delay;
        private final DelayedRetry state;
        private final Runnable tooLarge;
        private final Runnable refused;
        private int failures;
        private String problem;
        private long notBeforeNanos;

        private Delayed(Call call, Duration delay, DelayedRetry state, Runnable tooLarge, Runnable refused) {
            this.call = call;
            this.delay = delay;
            this.state = state;
            this.tooLarge = tooLarge;
            this.refused = refused;
        }
    }

    private Instant queuedAt(Call call) {
        if (call.delayedRetry() != null) {
            return call.delayedRetry().queuedAt();
        }
        long timestamp = MessageTimestamp.of(call.delivery(), clock.wallMillis());
        return timestamp < 0 ? null : Instant.ofEpochMilli(timestamp);
    }
}
