package io.iocluster.pipeline;

import io.iocluster.egress.EgressViolationListener;
import io.iocluster.egress.Rejection;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.NodeClock;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts egress violations in report mode, and logs one violation of each code in ten seconds. Thread-safe. */
final class EgressReportLog implements EgressViolationListener {

    private static final Logger LOG = LoggerFactory.getLogger(EgressReportLog.class);

    private final Map<ErrorCode, LogThrottle> throttles = new EnumMap<>(ErrorCode.class);
    private final PipelineEvents events;

    EgressReportLog(PipelineEvents events, NodeClock clock) {
        this.events = events;
        for (ErrorCode code : ErrorCode.values()) {
            throttles.put(code, new LogThrottle(LOG, clock::nanos));
        }
    }

    @Override
    public void onViolation(Rejection refusal, String destination) {
        events.egressViolation(refusal.code());
        throttles
                .get(refusal.code())
                .warn(
                        "Egress violation reported; the call passes destination={} problem={} code={}",
                        destination,
                        refusal.message(),
                        refusal.code().wireName());
    }
}
