package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests the start and the drain of a pipeline, and the replacement of workers. */
class PipelineLifecycleTest extends PipelineFixture {

    @Test
    void answersOpenCallsWhenItDrains() throws Exception {
        FakeDelivery delivery = offer(NEVER);
        FakeAttempt attempt = http.next();
        CompletableFuture<String> settledWhenIdle = new CompletableFuture<>();
        CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> pipeline.drain(
                Duration.ofSeconds(10),
                () -> settledWhenIdle.complete(
                        delivery.settled.getNow("open") + ", source closed: " + transport.sourceClosed)));
        await().until(() -> pipeline.status().state() == PipelineState.DRAINING);

        attempt.respond(200);

        assertThat(drained.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(settledWhenIdle).isCompletedWithValue("acknowledged, source closed: false");
        assertThat(delivery.settled).isCompletedWithValue("acknowledged");
        assertThat(transport.sourceClosed).isTrue();
        assertThat(transport.sinkClosed).isTrue();
    }

    @Test
    void releasesUnansweredMessagesWhenTheDrainTimesOut() throws Exception {
        FakeDelivery delivery = offer(GET);
        FakeAttempt attempt = http.next();

        AtomicBoolean idle = new AtomicBoolean();
        assertThat(pipeline.drain(Duration.ofMillis(50), () -> idle.set(true))).isFalse();

        assertThat(idle).isFalse();
        assertThat(delivery.settled).isCompletedWithValue("released");
        attempt.result().complete(null);
        assertThat(transport.published).isEmpty();
    }

    @Test
    void aCallWhoseLoopIsLateExceedsItsDeadlineAndIsNoDefect() throws Exception {
        FakeDelivery delivery = offer("{\"id\":\"i\",\"url\":\"http://partner.example/\",\"deadlineMs\":5000}");
        FakeAttempt attempt = http.next();
        CountDownLatch withoutCpu = new CountDownLatch(1);
        attempt.loop().execute(() -> awaitQuietly(withoutCpu));

        clock.advance(Duration.ofSeconds(6));
        attempt.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
        await().during(Duration.ofMillis(1_500))
                .failFast(() -> !transport.published.isEmpty())
                .until(transport.published::isEmpty);
        withoutCpu.countDown();

        PublishedMessage published = transport.nextPublished();
        assertThat(published.answer().error().code()).isEqualTo("deadline-exceeded");
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void aScatterMessageWaitsForABranchWhoseLoopIsLate() throws Exception {
        offer(
                "{\"id\":\"i\",\"deadlineMs\":5000,\"all\":[{\"url\":\"http://partner.example/1\"},{\"url\":\"http://partner.example/2\"}]}");
        List<FakeAttempt> branches = List.of(http.next(), http.next());
        CountDownLatch withoutCpu = new CountDownLatch(1);
        branches.get(0).loop().execute(() -> awaitQuietly(withoutCpu));

        clock.advance(Duration.ofSeconds(6));
        branches.forEach(branch -> branch.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE));
        await().during(Duration.ofMillis(1_500))
                .failFast(() -> !transport.published.isEmpty())
                .until(transport.published::isEmpty);
        withoutCpu.countDown();

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("incomplete-results");
    }

    @Test
    void readsNothingBeforeItsStartIfItHasJoined() {
        FakeTransport joinedTransport = new FakeTransport();
        try (Pipeline joined = TestPipelines.of(
                joinedTransport, http, Platform.system(), WorkerSettings.DEFAULTS, DestinationPolicy.DEFAULTS)) {
            FakeDelivery delivery = new FakeDelivery(NEVER);
            joined.join();
            joined.join();

            assertThat(joinedTransport.offer(delivery)).isFalse();
            assertThat(joined.status().state()).isEqualTo(PipelineState.NEW);
            assertThat(joined.status().stuck()).isFalse();

            joined.start();
            assertThat(joinedTransport.offer(delivery)).isTrue();
            assertThat(joined.status().state()).isEqualTo(PipelineState.RUNNING);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
