package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A pipeline with one worker and two slots, whose transport, targets and clock the test controls. */
public abstract class PipelineFixture extends ControlledPipeline {

    protected static final String GET = "{\"id\":\"i\",\"url\":\"http://partner.example/\",\"context\":{\"a\":1}}";
    protected static final String NEVER = "{\"id\":\"i\",\"url\":\"http://partner.example/\",\"reply\":\"never\"}";

    protected static final DestinationPolicy POLICY = TestPipelines.policy(
            0, 0, RetrySettings.DEFAULTS.withAttempts(3, Duration.ofNanos(1), Duration.ofNanos(1)));

    @BeforeEach
    protected void start() {
        start(Duration.ofSeconds(10));
    }

    protected void start(Duration stallTimeout) {
        pipeline = pipeline(1, 2, stallTimeout);
        pipeline.start();
    }

    protected FakeDelivery offer(String envelope) {
        FakeDelivery delivery = new FakeDelivery(envelope, clock.wallMillis(), Map.of());
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private Pipeline pipeline(int threads, int maxInFlight, Duration stallTimeout) {
        return TestPipelines.of(transport, http, clock, workers(threads, maxInFlight, stallTimeout), POLICY);
    }

    protected static WorkerSettings workers(int threads, int maxInFlight) {
        return workers(threads, maxInFlight, Duration.ofSeconds(10));
    }

    private static WorkerSettings workers(int threads, int maxInFlight, Duration stallTimeout) {
        return new WorkerSettings(
                threads, maxInFlight, 3, 10, DataSize.ofMebibytes(1), 10, 75, 4, stallTimeout, Duration.ofMinutes(1));
    }
}
