package io.iocluster.pipeline.outbox;

import io.iocluster.log.LogThrottle;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.Traced;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs events of unconfirmed answers. Limits the rate of each kind of event. Thread-safe. */
final class OutboxLog {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerOutbox.class);

    private final NodeClock clock;
    private final LogThrottle failures;
    private final LogThrottle diversions;
    private final LogThrottle defects;

    OutboxLog(NodeClock clock) {
        this.clock = clock;
        this.failures = new LogThrottle(clock.nanos());
        this.diversions = new LogThrottle(clock.nanos());
        this.defects = new LogThrottle(clock.nanos());
    }

    void publishFailed(PendingAnswer answer, String problem, Throwable bug) {
        long suppressed = failures.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.atWarn()
                    .addKeyValue(Traced.LOG_KEY, answer.call().traceparent())
                    .setCause(bug)
                    .log(
                            "Answer not confirmed; publishing it again request={} to={} problem={} suppressed={}",
                            answer.call().delivery().coordinates(),
                            answer.topicOrQueue(),
                            problem,
                            suppressed);
        }
    }

    /** @param from the topic or queue to which it was not published */
    void diverted(PendingAnswer answer, String from, String problem) {
        long suppressed = diversions.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.atWarn()
                    .addKeyValue(Traced.LOG_KEY, answer.call().traceparent())
                    .log(
                            "Answer diverted request={} from={} to={} problem={} suppressed={}",
                            answer.call().delivery().coordinates(),
                            from,
                            answer.topicOrQueue(),
                            problem,
                            suppressed);
        }
    }

    void resultNotProcessed(PendingAnswer answer, Throwable defect) {
        long suppressed = defects.pollSuppressed(clock.nanos());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.error(
                    "Answer result not processed because of a defect; releasing the message request={} suppressed={}",
                    answer.call().delivery().coordinates(),
                    suppressed,
                    defect);
        }
    }

    void tickFailed(Throwable defect) {
        LOG.error("Unconfirmed answers not processed because of a defect", defect);
    }
}
