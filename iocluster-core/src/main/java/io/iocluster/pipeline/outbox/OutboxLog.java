package io.iocluster.pipeline.outbox;

import io.iocluster.log.LogThrottle;
import io.iocluster.thread.NodeClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs events of unconfirmed answers. Limits the rate of each kind of event. Thread-safe. */
final class OutboxLog {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerOutbox.class);

    private final LogThrottle failures;
    private final LogThrottle diversions;
    private final LogThrottle defects;

    OutboxLog(NodeClock clock) {
        this.failures = new LogThrottle(LOG, clock::nanos);
        this.diversions = new LogThrottle(LOG, clock::nanos);
        this.defects = new LogThrottle(LOG, clock::nanos);
    }

    void publishFailed(PendingAnswer answer, String problem, Throwable bug) {
        failures.log(
                Level.WARN,
                line -> answer.call().addTo(line).setCause(bug),
                "Answer not confirmed; publishing it again request={} to={} problem={}",
                answer.call().delivery().coordinates(),
                answer.topicOrQueue(),
                problem);
    }

    /** @param from the topic or queue to which it was not published */
    void diverted(PendingAnswer answer, String from, String problem) {
        diversions.log(
                Level.WARN,
                answer.call()::addTo,
                "Answer diverted request={} from={} to={} problem={}",
                answer.call().delivery().coordinates(),
                from,
                answer.topicOrQueue(),
                problem);
    }

    void resultNotProcessed(PendingAnswer answer, Throwable defect) {
        defects.error(
                "Answer result not processed because of a defect; releasing the message request={}",
                answer.call().delivery().coordinates(),
                defect);
    }

    void tickFailed(Throwable defect) {
        LOG.error("Unconfirmed answers not processed because of a defect", defect);
    }
}
