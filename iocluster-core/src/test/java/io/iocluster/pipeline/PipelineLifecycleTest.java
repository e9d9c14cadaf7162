package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
    void replacesADeadWorkerAndAnswersOrRestartsItsCalls() throws Exception {
        pipeline.close();
        start(Duration.ofSeconds(1));
        FakeDelivery started = offer(GET);
        FakeAttempt first = http.next();
        CountDownLatch stuck = new CountDownLatch(1);
        first.loop().execute(() -> awaitQuietly(stuck));
        FakeDelivery uncalled = offer("{\"id\":\"u\",\"url\":\"http://partner.example/\"}");

        PublishedMessage lost = transport.nextPublished();
        FakeAttempt again = http.next();

        assertThat(lost.answer().error().code()).isEqualTo("worker-lost");
        assertThat(lost.answer().error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(again.loop()).isNotSameAs(first.loop());
        assertThat(pipeline.status().replacedWorkers()).isEqualTo(1);
        stuck.countDown();
        lost.confirm();
        again.respond(200);
        transport.nextPublished().confirm();
        assertThat(started.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(uncalled.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void keepsItsWorkersAfterAPauseOfTheWholeNode() throws Exception {
        FakeDelivery delivery = offer(GET);
        FakeAttempt attempt = http.next();

        clock.advance(Duration.ofSeconds(13));

        await().during(Duration.ofMillis(1_200)).until(() -> pipeline.status().replacedWorkers() == 0);
        attempt.respond(200);
        PublishedMessage published = transport.nextPublished();
        assertThat(published.answer().status()).isEqualTo(200);
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
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
    void replacesAWorkerWhoseLoopEnded() throws Exception {
        http.loops.get(0).shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();

        FakeDelivery delivery = offer(NEVER);
        http.next().respond(200);

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
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

    @Test
    void startsOnce() {
        assertThatThrownBy(pipeline::start).isInstanceOf(IllegalStateException.class);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
