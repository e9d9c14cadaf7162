package io.iocluster.pipeline;

import io.iocluster.egress.EgressReports;
import io.iocluster.egress.Refusal;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the egress policy would have stopped, and logs of each code one case in ten seconds, for a flood of calls must
 * not become a flood of lines. For any thread.
 */
final class EgressReportLog implements EgressReports {

    private static final Logger LOG = LoggerFactory.getLogger(EgressReportLog.class);
    private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private final Map<ErrorCode, Line> lines = new EnumMap<>(ErrorCode.class);
    private final PipelineEvents events;
    private final NodeClock clock;

    EgressReportLog(PipelineEvents events, NodeClock clock) {
        this.events = events;
        this.clock = clock;
        for (ErrorCode code : ErrorCode.values()) {
            lines.put(code, new Line(clock.nanos()));
        }
    }

    @Override
    public void reported(Refusal refusal, String destination) {
        events.egressReported(refusal.code());
        long now = clock.nanos();
        Line line = lines.get(refusal.code());
        long due = line.due.get();
        if (now - due >= 0 && line.due.compareAndSet(due, now + INTERVAL_NANOS)) {
            LOG.warn(
                    "the egress policy forbids a call to {} and lets it pass: {} ({}); {} more like it since the last line",
                    destination,
                    refusal.message(),
                    refusal.code().wireName(),
                    line.untold.sumThenReset());
        } else {
            line.untold.increment();
        }
    }

    /** What one code has to say next, and from when on it may. */
    private static final class Line {

        private final AtomicLong due;
        private final LongAdder untold = new LongAdder();

        Line(long due) {
            this.due = new AtomicLong(due);
        }
    }
}
