package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cancels, expires, retries and hedges calls, resizes the window and replaces workers at moments that a seed chooses. Every counter must
 * return to zero. {@code -Dstress.seed=N} replays one seed.
 */
class CounterStressTest {

    private static final int ENVELOPES = 5_000;
    private static final String[] HOSTS = {"one", "few", "retried", "hedged", "free", "free2"};

    private final FakeTransport transport = new FakeTransport();
    private final FakeExecutors http = new FakeExecutors();
    private final List<QueueConsumer> consumers = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyCounterReturnsToZero(long given) throws Exception {
        long seed = Long.getLong("stress.seed", given);
        Random random = new Random(seed);
        Pipeline pipeline = TestPipelines.of(transport, http, Platform.system(), size(2, 8), others(), destinations());
        pipeline.start();
        Random target = new Random(seed + 1);
        consumers.add(QueueConsumer.start(http.attempts, attempt -> end(attempt, target.nextInt(10))));
        consumers.add(QueueConsumer.start(transport.published, FakeTransport.PublishedMessage::confirm));
        List<FakeDelivery> deliveries = new ArrayList<>();

        for (int i = 0; i < ENVELOPES; i++) {
            FakeDelivery delivery = new FakeDelivery(envelope(i, random));
            deliveries.add(delivery);
            while (!transport.offer(delivery)) {
                LockSupport.parkNanos(50_000);
            }
            if (i % (ENVELOPES / 6) == ENVELOPES / 12) {
                resizeOrLoseAWorker(pipeline, random);
            }
        }
        assertThat(pipeline.drain(Duration.ofSeconds(60), () -> {}))
                .as("drained, seed %d", seed)
                .isTrue();
        consumers.forEach(QueueConsumer::close);

        assertThat(deliveries)
                .allSatisfy(delivery -> assertThat(delivery.settled)
                        .as("settled, seed %d", seed)
                        .isCompletedWithValue("acknowledged"));
        await().untilAsserted(() -> assertNothingIsHeld(pipeline, seed));
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void everyCounterReturnsToZeroWhenTheNodeStopsAtAnyMoment(long given) throws Exception {
        long seed = Long.getLong("stress.seed", given);
        Random random = new Random(seed);
        Pipeline pipeline = TestPipelines.of(transport, http, Platform.system(), size(2, 8), others(), destinations());
        pipeline.start();
        Random target = new Random(seed + 1);
        consumers.add(QueueConsumer.start(http.attempts, attempt -> end(attempt, target.nextInt(10))));
        consumers.add(QueueConsumer.start(transport.published, FakeTransport.PublishedMessage::confirm));
        List<FakeDelivery> taken = new CopyOnWriteArrayList<>();
        CountDownLatch underWay = new CountDownLatch(200 + random.nextInt(800));
        AtomicBoolean stopped = new AtomicBoolean();
        Random envelopes = new Random(seed + 2);
        Thread source = new Thread(() -> {
            for (int i = 0; !stopped.get(); i++) {
                FakeDelivery delivery = new FakeDelivery(envelope(i, envelopes));
                if (transport.offer(delivery)) {
                    taken.add(delivery);
                    underWay.countDown();
                }
            }
        });
        source.start();
        assertThat(underWay.await(60, TimeUnit.SECONDS)).isTrue();
        if (random.nextBoolean()) {
            resizeOrLoseAWorker(pipeline, random);
        }

        if (random.nextBoolean()) {
            pipeline.drain(Duration.ofMillis(random.nextInt(20)), () -> {});
        } else {
            pipeline.close();
        }
        stopped.set(true);
        source.join();

        await().untilAsserted(() -> assertNothingIsHeld(pipeline, seed));
        assertThat(taken)
                .as("settled, seed %d", seed)
                .allSatisfy(delivery -> assertThat(delivery.settled).isDone());
        consumers.forEach(QueueConsumer::close);
    }

    private void assertNothingIsHeld(Pipeline pipeline, long seed) {
        PipelineStatus status = pipeline.status();
        assertThat(List.of(status.inFlight(), status.waiting(), status.unconfirmed(), (int) status.inFlightBytes()))
                .as("calls, waiting, unconfirmed, bytes, seed %d", seed)
                .containsOnly(0);
        assertThat(status.workers()).as("workers, seed %d", seed).allMatch(worker -> worker.inFlight() == 0);
        assertThat(pipeline.destinations())
                .as("destinations, seed %d", seed)
                .allMatch(each -> each.inFlight() == 0 && each.waiting() == 0);
    }

    private void resizeOrLoseAWorker(Pipeline pipeline, Random random) {
        if (random.nextBoolean()) {
            pipeline.reconfigure(TestPipelines.settings(
                    size(1 + random.nextInt(3), 4 + random.nextInt(12)), others(), destinations()));
        } else {
            http.loops.get(http.loops.size() - 1).shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    private static String envelope(int id, Random random) {
        String deadline = random.nextInt(4) == 0 ? "\"deadlineMs\":" + (1 + random.nextInt(30)) + "," : "";
        String head = "{\"id\":\"" + id + "\"," + deadline;
        int kind = random.nextInt(4);
        if (kind == 0) {
            return head + "\"url\":\"" + url(random) + "\"}";
        }
        String branches = IntStream.range(0, 2 + random.nextInt(2))
                .mapToObj(branch -> "{\"url\":\"" + url(random) + "\"}")
                .collect(Collectors.joining(","));
        return head + "\"" + (kind == 1 ? "all" : "any") + "\":[" + branches + "]}";
    }

    private static String url(Random random) {
        return "http://" + HOSTS[random.nextInt(HOSTS.length)] + ".example/";
    }

    /** Answers one of ten attempts late, so that another branch or a lost worker ends it before. */
    private static void end(FakeAttempt attempt, int how) {
        try {
            attempt.loop().execute(() -> attempt.budget().tryReserve(100));
            switch (how) {
                case 0 -> attempt.respond(503);
                case 1 -> attempt.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
                case 2 -> attempt.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
                case 3 -> attempt.loop().schedule(() -> attempt.respond(200), 20, TimeUnit.MILLISECONDS);
                default -> attempt.respond(200);
            }
        } catch (RejectedExecutionException workerLost) {
            // The supervisor ends the call.
        }
    }

    private static WorkerSettings size(int threads, int maxInFlight) {
        return new WorkerSettings(
                threads,
                maxInFlight,
                200,
                100,
                DataSize.ofMebibytes(1),
                100,
                75,
                4,
                Duration.ofSeconds(60),
                Duration.ofMinutes(1));
    }

    private static DestinationPolicy others() {
        return TestPipelines.policy(
                0, 20, RetrySettings.DEFAULTS.withAttempts(1, Duration.ofMillis(1), Duration.ofMillis(1)));
    }

    private static DestinationSettings[] destinations() {
        RetrySettings once = RetrySettings.DEFAULTS.withAttempts(1, Duration.ofMillis(1), Duration.ofMillis(1));
        RetrySettings thrice = RetrySettings.DEFAULTS.withAttempts(3, Duration.ofMillis(1), Duration.ofMillis(5));
        return new DestinationSettings[] {
            new DestinationSettings(List.of("one.example"), "one", TestPipelines.policy(1, 20, once)),
            new DestinationSettings(List.of("few.example"), "few", TestPipelines.policy(3, 20, once)),
            new DestinationSettings(List.of("retried.example"), "retried", TestPipelines.policy(2, 20, thrice)),
            new DestinationSettings(
                    List.of("hedged.example"),
                    "hedged",
                    RecordCopy.with(
                            TestPipelines.policy(4, 20, thrice),
                            "hedge",
                            new HedgeSettings(HedgeDelay.parse("2ms"), 100, Duration.ofMillis(1))))
        };
    }
}
