package io.iocluster.pipeline.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A pipeline with the destination {@code slow}, which accepts one call at a time and lets two wait. */
abstract class SlowDestinationFixture extends ControlledPipeline {

    static final Duration BACKOFF = Duration.ofSeconds(10);
    static final RetrySettings RETRY = RetrySettings.DEFAULTS.withAttempts(2, BACKOFF, BACKOFF);
    static final DestinationPolicy SLOW = slow(1, 2);

    static final DestinationPolicy OTHERS = TestPipelines.policy(0, 0, RetrySettings.DEFAULTS);
    static final WorkerSettings WORKERS = TestPipelines.oneWorker(2);

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                WORKERS,
                OTHERS,
                new DestinationSettings(List.of("slow.example"), "slow", SLOW));
        pipeline.start();
    }

    /** Offers one call that starts and two that wait. */
    FakeAttempt fillSlow() throws InterruptedException {
        offer("slow");
        FakeAttempt first = http.next();
        offer("slow");
        offer("slow");
        return first;
    }

    DestinationStatus destination(String name) {
        return pipeline.destinations().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    FakeDelivery offer(String host) {
        return offer(host, "");
    }

    FakeDelivery offer(String host, String more) {
        FakeDelivery delivery = delivery(host, more);
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    FakeDelivery delivery(String host, String more) {
        return new FakeDelivery("{\"url\":\"http://" + host + ".example/\"" + more + "}", clock.wallMillis(), Map.of());
    }

    static DestinationPolicy slow(int maxInFlight, int waiting) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        Duration open = Duration.ofSeconds(5);
        var breaker = new BreakerSettings(
                true, 50, 10, 2, open, open, 1, defaults.breaker().failureStatuses(), false);
        return RecordCopy.with(
                defaults,
                "maxInFlight",
                maxInFlight,
                "maxWaiting",
                waiting,
                "timeout",
                Duration.ofSeconds(7),
                "deadline",
                Duration.ofSeconds(20),
                "retry",
                RETRY,
                "breaker",
                breaker);
    }
}
