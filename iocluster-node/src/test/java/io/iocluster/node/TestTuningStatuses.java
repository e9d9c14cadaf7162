package io.iocluster.node;

import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.Advice;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.node.tuning.TuningStep;
import io.iocluster.node.tuning.TuningStep.Kind;
import io.iocluster.node.tuning.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Sample statuses of advisors. */
public final class TestTuningStatuses {

    /** The status of a node that has grown and recommends more. */
    public static final TuningStatus GROWING = new TuningStatus(
            Mode.AUTO,
            new Advice(Verdict.GROW_IN_FLIGHT, 600, null, null, "1,234 messages wait"),
            Instant.parse("2026-01-02T03:04:05Z"),
            0.31234,
            0.8,
            1_234L,
            12.5,
            500,
            List.of(new TuningStep(
                    Instant.parse("2026-01-02T03:04:00Z"), Kind.MORE_IN_FLIGHT, 50, 100, "9 messages wait")),
            Map.of(Kind.MORE_IN_FLIGHT, 1L));

    /** The status of a node that has just started and has no data. */
    public static final TuningStatus WITHOUT_DATA = new TuningStatus(
            Mode.ADVISE,
            new Advice(Verdict.HOLD, null, null, null, "nothing was seen yet"),
            Instant.parse("2026-01-02T03:04:05Z"),
            null,
            0.8,
            null,
            null,
            0,
            List.of(),
            Map.of());

    private TestTuningStatuses() {}
}
