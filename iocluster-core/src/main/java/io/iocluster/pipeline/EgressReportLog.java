package io.iocluster.pipeline;

import io.iocluster.egress.EgressViolationListener;
import io.iocluster.egress.Rejection;
import io.iocluster.message.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts what the egress policy would have stopped, and logs of each code one case in ten seconds. For any thread.
 */
final class EgressReportLog implements EgressViolationListener {

    private static final Logger LOG = LoggerFactory.getLogger(EgressReportLog.class);

    private final Map<ErrorCode, LogThrottle> lines = new EnumMap<>(ErrorCode.class);
    private final PipelineEvents events;
    private final NodeClock clock;

    EgressReportLog(PipelineEvents events, NodeClock clock) {
        this.events = events;
        this.clock = clock;
        for (ErrorCode code : ErrorCode.values()) {
            lines.put(code, new LogThrottle(clock.nanos()));
        }
    }

    @Override
    public void onViolation(Rejection refusal, String destination) {
        events.egressViolation(refusal.code());
        long untold = lines.get(refusal.code()).pollSuppressed(clock.nanos());
        if (untold != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "the egress policy forbids a call to {} and lets it pass: {} ({}); {} more like it since the last line",
                    destination,
                    refusal.message(),
                    refusal.code().wireName(),
                    untold);
        }
    }
}
