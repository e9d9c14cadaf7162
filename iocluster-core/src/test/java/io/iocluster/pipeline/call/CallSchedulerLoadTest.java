package io.iocluster.pipeline.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.QueueConsumer;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Runs calls of several threads to several destinations, a third of whose attempts fail. */
class CallSchedulerLoadTest {

    private static final int CALLS = 2_000;
    private static final int HOSTS = 5;

    private final FakeTransport transport = new FakeTransport();
    private final FakeExecutors http = new FakeExecutors();
    private final Pipeline pipeline = TestPipelines.of(
            transport,
            http,
            Platform.system(),
            new WorkerSettings(
                    2,
                    20,
                    1_000,
                    200,
                    DataSize.ofMebibytes(1),
                    3,
                    75,
                    4,
                    Duration.ofSeconds(60),
                    Duration.ofMinutes(1)),
            policy(0),
            new DestinationSettings(List.of("h0.example", "h1.example"), "narrow", policy(3)));

    @Test
    void everyCallEndsOnceAndReleasesEverything() throws Exception {
        List<FakeDelivery> deliveries = new ArrayList<>();
        Map<String, Integer> endings = new HashMap<>();
        Random random = new Random(7);
        QueueConsumer target = QueueConsumer.start(http.attempts, attempt -> answer(attempt, random.nextInt(6)));
        QueueConsumer broker = QueueConsumer.start(transport.published, published -> {
            endings.merge(published.answer().id(), 1, Integer::sum);
            published.confirm();
        });
        pipeline.start();

        for (int i = 0; i < CALLS; i++) {
            FakeDelivery delivery =
                    new FakeDelivery("{\"id\":\"" + i + "\",\"url\":\"http://h" + i % HOSTS + ".example/\"}");
            deliveries.add(delivery);
            while (!transport.offer(delivery)) {
                LockSupport.parkNanos(100_000);
            }
        }
        for (FakeDelivery delivery : deliveries) {
            assertThat(delivery.settled.get(60, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        }
        assertThat(pipeline.drain(Duration.ofSeconds(10), () -> {})).isTrue();
        target.close();
        broker.close();

        assertThat(endings)
                .hasSize(CALLS)
                .allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
        assertThat(pipeline.status().inFlight()).isZero();
        assertThat(pipeline.status().inFlightBytes()).isZero();
        assertThat(pipeline.status().workers())
                .allSatisfy(worker -> assertThat(worker.inFlight()).isZero());
        assertThat(pipeline.destinations())
                .extracting(DestinationStatus::name)
                .contains("narrow", "h2.example:80", "other");
        assertThat(pipeline.destinations()).allSatisfy(each -> {
            assertThat(each.inFlight()).isZero();
            assertThat(each.waiting()).isZero();
        });
    }

    private static void answer(FakeAttempt attempt, int how) {
        switch (how) {
            case 0 -> attempt.respond(503);
            case 1 -> attempt.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
            default -> attempt.respond(200);
        }
    }

    private static DestinationPolicy policy(int maxInFlight) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        return RecordCopy.with(
                defaults,
                "maxInFlight",
                maxInFlight,
                "maxWaiting",
                20,
                "retry",
                RetrySettings.DEFAULTS.withAttempts(3, Duration.ofMillis(5), Duration.ofMillis(5)),
                "breaker",
                new BreakerSettings(
                        true,
                        50,
                        10,
                        5,
                        Duration.ofMillis(10),
                        Duration.ofMillis(10),
                        2,
                        defaults.breaker().failureStatuses(),
                        false));
    }
}
