package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.Rejection;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EgressReportLogTest {

    private static final Rejection PORT = new Rejection(ErrorCode.PORT_NOT_ALLOWED, "the port 22 is not allowed");
    private static final Rejection HOST = new Rejection(ErrorCode.HOST_NOT_ALLOWED, "the host h is not allowed");

    @AutoClose
    private final CapturedLog log = CapturedLog.of(EgressReportLog.class);

    private final List<ErrorCode> counted = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - 7;
    private final EgressReportLog reports = new EgressReportLog(
            new PipelineEvents() {
                @Override
                public void egressViolation(ErrorCode code) {
                    counted.add(code);
                }
            },
            new NodeClock() {
                @Override
                public long wallMillis() {
                    throw new AssertionError("spans are not measured with the wall's clock");
                }

                @Override
                public long nanos() {
                    return nanos;
                }
            });

    @Test
    void countsEveryViolationAndLogsOneOfEachCodeInTenSeconds() {
        for (int i = 0; i < 1_000; i++) {
            reports.onViolation(PORT, "h:22");
        }
        reports.onViolation(HOST, "h:443");
        nanos += Duration.ofSeconds(10).toNanos();
        reports.onViolation(PORT, "other:22");

        assertThat(counted).hasSize(1_002);
        assertThat(log.messages())
                .containsExactly(
                        "Egress violation reported; the call passes destination=h:22 problem=the port 22 is not allowed"
                                + " code=port-not-allowed suppressed=0",
                        "Egress violation reported; the call passes destination=h:443 problem=the host h is not allowed"
                                + " code=host-not-allowed suppressed=0",
                        "Egress violation reported; the call passes destination=other:22 problem=the port 22 is not"
                                + " allowed code=port-not-allowed suppressed=999");
    }
}
