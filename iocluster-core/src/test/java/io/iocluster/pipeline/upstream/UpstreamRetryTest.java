package io.iocluster.pipeline.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.upstream.UpstreamSettings;
import io.iocluster.upstream.UpstreamStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests calls to a destination with upstreams from the queue to the answer. */
class UpstreamRetryTest extends ControlledPipeline {

    private static final Duration SHORT = Duration.ofMillis(1);

    private final AtomicInteger retried = new AtomicInteger();

    @BeforeEach
    void create() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new PipelineEvents() {
                    @Override
                    public void retried(String destination, String reason) {
                        retried.incrementAndGet();
                    }
                },
                WorkerSettings.DEFAULTS,
                DestinationPolicy.DEFAULTS,
                partner("10.0.0.1:81", "10.0.0.2:82"));
    }

    private static DestinationSettings partner(String... upstreams) {
        return new DestinationSettings(
                List.of("partner.example"),
                "partner",
                RecordCopy.with(
                        DestinationPolicy.DEFAULTS,
                        "retry",
                        RetrySettings.DEFAULTS.withAttempts(3, SHORT, SHORT),
                        "upstreams",
                        RecordCopy.with(UpstreamSettings.DEFAULTS, "addresses", List.of(upstreams))));
    }

    private void offer() {
        assertThat(transport.offer(
                        new FakeDelivery("{\"url\": \"http://partner.example/\"}", clock.wallMillis(), Map.of())))
                .isTrue();
    }

    @Test
    void eachRetryGoesToTheOtherUpstream() throws Exception {
        pipeline.start();
        offer();

        UpstreamAddress first = failNext();
        UpstreamAddress second = failNext();
        FakeAttempt third = http.next();
        third.respond(200);

        assertThat(transport.nextPublished().answer().attempts()).isEqualTo(3);
        assertThat(second).isNotEqualTo(first);
        assertThat(third.request().upstream()).isEqualTo(first);
    }

    private UpstreamAddress failNext() throws InterruptedException {
        int before = retried.get();
        FakeAttempt attempt = http.next();
        attempt.respond(503);
        await().until(() -> retried.get() == before + 1);
        clock.advance(SHORT);
        return attempt.request().upstream();
    }

    @Test
    void aChangedListDoesNotDisturbACallUnderWay() throws Exception {
        pipeline.start();
        offer();
        FakeAttempt running = http.next();

        PipelineSettings next =
                TestPipelines.settings(WorkerSettings.DEFAULTS, DestinationPolicy.DEFAULTS, partner("10.0.0.3:83"));
        assertThat(pipeline.reconfigure(next)).isTrue();
        offer();
        FakeAttempt later = http.next();
        running.respond(200);
        later.respond(200);

        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(later.request().upstream()).isEqualTo(UpstreamAddress.parse("10.0.0.3:83"));
        assertThat(http.loopCount()).isEqualTo(WorkerSettings.DEFAULTS.effectiveThreads());
        assertThat(pipeline.upstreams().status())
                .extracting(UpstreamStatus::upstream)
                .containsExactly("10.0.0.3:83");
    }
}
