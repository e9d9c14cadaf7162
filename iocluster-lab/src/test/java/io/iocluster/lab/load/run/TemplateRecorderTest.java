package io.iocluster.lab.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.message.Answer.Timing;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TemplateRecorderTest {

    /** 1 ms on the queue, and 5 ms in the node, 3 of them in the attempt. */
    private static final Timing TIMING = new Timing(1, 5, 0, 0, 0, 3);

    private final TemplateRecorder recorder = new TemplateRecorder("get");

    @Test
    void theRestOfALatencyIsWhatTheNodeDoesNotExplain() {
        recorder.started();
        recorder.ended("200", true, TimeUnit.MILLISECONDS.toNanos(20), TIMING);

        LatencyHistogram rest = recorder.result().node().rest();
        assertThat(rest.count()).isEqualTo(1);
        assertThat(rest.meanMillis()).isBetween(13.9, 14.1);
    }

    @Test
    void theRestIsNeverNegative() {
        recorder.started();
        recorder.ended("200", true, TimeUnit.MILLISECONDS.toNanos(2), TIMING);

        assertThat(recorder.result().node().rest().meanMillis()).isLessThan(0.1);
    }
}
