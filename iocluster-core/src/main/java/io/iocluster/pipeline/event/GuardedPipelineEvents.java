package io.iocluster.pipeline.event;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.Traced;
import io.iocluster.transport.IgnoredInput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards events and logs exceptions of the listener, so that metrics cannot break a call. Thread-safe. */
public final class GuardedPipelineEvents implements PipelineEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedPipelineEvents.class);

    private final PipelineEvents listener;
    private final NodeClock clock;
    private final LogThrottle failures;

    public GuardedPipelineEvents(PipelineEvents listener, NodeClock clock) {
        this.listener = listener;
        this.clock = clock;
        this.failures = new LogThrottle(clock.nanos());
    }

    @Override
    public void received(long queuedMillis) {
        try {
            listener.received(queuedMillis);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void inputIgnored(IgnoredInput input) {
        try {
            listener.inputIgnored(input);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void redelivered(String destination) {
        try {
            listener.redelivered(destination);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void attempted(String destination, int bodyBytes) {
        try {
            listener.attempted(destination, bodyBytes);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        try {
            listener.attemptEnded(destination, result, nanos);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void hedged(String destination, HedgeResult result) {
        try {
            listener.hedged(destination, result);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void retried(String destination, String reason) {
        try {
            listener.retried(destination, reason);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void delayed(String destination, String reason) {
        try {
            listener.delayed(destination, reason);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        try {
            listener.callEnded(destination, outcome, status, error, nanos, call);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void callError(String destination, ErrorCode error) {
        try {
            listener.callError(destination, error);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {
        try {
            listener.callFailed(id, destination, error, message, attempts);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public boolean isTapped() {
        return listener.isTapped();
    }

    @Override
    public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
        try {
            listener.callTapped(position, destination, request, answer);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void acknowledged(long endToEndMillis, Traced call) {
        try {
            listener.acknowledged(endToEndMillis, call);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void released() {
        try {
            listener.released();
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void deadLettered(ErrorCode code) {
        try {
            listener.deadLettered(code);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void answerRepublished() {
        try {
            listener.answerRepublished();
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void answerDiverted(boolean toDeadLetters) {
        try {
            listener.answerDiverted(toDeadLetters);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void answerTruncated() {
        try {
            listener.answerTruncated();
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void deadLetterTruncated() {
        try {
            listener.deadLetterTruncated();
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void egressViolation(ErrorCode code) {
        try {
            listener.egressViolation(code);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void watchdogTimeout(String destination) {
        try {
            listener.watchdogTimeout(destination);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    @Override
    public void workerReplaced(String worker) {
        try {
            listener.workerReplaced(worker);
        } catch (Throwable bug) {
            log(bug);
        }
    }

    private void log(Throwable bug) {
        long suppressed = failures.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.error("Event listener failed suppressed={}", suppressed, bug);
        }
    }
}
