package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.trace.Traced;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that after any exception the call ends, releases its permit, and the next call starts. */
class PipelineDefectsTest extends ControlledPipeline {

    private static final String GET = "{\"id\":\"i\",\"url\":\"http://partner.example/\"}";

    private final ThrowingEvents events = new ThrowingEvents();

    /** A listener that throws on request and counts watchdog timeouts. */
    private static final class ThrowingEvents implements PipelineEvents {

        private final AtomicInteger overdue = new AtomicInteger();
        private volatile Throwable defect;

        @Override
        public void received(long queuedMillis) {
            SneakyThrow.raise(defect);
        }

        @Override
        public void callEnded(
                String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
            SneakyThrow.raise(defect);
        }

        @Override
        public void acknowledged(long endToEndMillis, Traced call) {
            SneakyThrow.raise(defect);
        }

        @Override
        public void watchdogTimeout(String destination) {
            overdue.incrementAndGet();
        }
    }

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                events,
                new WorkerSettings(
                        1, 2, 3, 10, DataSize.ofMebibytes(1), 10, 75, 4, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                TestPipelines.policy(
                        1, 0, RetrySettings.DEFAULTS.withAttempts(1, Duration.ofNanos(1), Duration.ofNanos(1))));
        pipeline.start();
    }

    static List<Throwable> defects() {
        return List.of(new IllegalArgumentException("no valid certificates"), new NoClassDefFoundError("gone"));
    }

    @ParameterizedTest
    @MethodSource("defects")
    void anAttemptThatThrowsEndsItsCallWithInternal(Throwable defect) throws Exception {
        http.defect = defect;
        for (int i = 0; i < 5; i++) {
            endsWithInternal(offer());
        }

        http.defect = null;
        assertMakesCallsAsBefore();
    }

    @Test
    void aCallWhosePublishingThrowsIsNotLost() throws Exception {
        transport.defect = new IllegalStateException("cannot be published");
        FakeDelivery delivery = offer();
        http.next().respond(200);
        await().until(() -> transport.refused.get() > 0);
        transport.defect = null;

        await().until(() -> {
            clock.advance(Duration.ofMillis(100));
            transport.published.forEach(PublishedMessage::confirm);
            return delivery.settled.isDone();
        });
        transport.published.clear();
        assertMakesCallsAsBefore();
    }

    @Test
    void aListenerThatThrowsDelaysNoCall() throws Exception {
        events.defect = new IllegalStateException("cannot count");
        assertMakesCallsAsBefore();
    }

    @Test
    void aSourceThatThrowsWhenCapacityIsSignalledDelaysNoCall() throws Exception {
        transport.capacityDefect = new IllegalStateException("test defect");
        assertMakesCallsAsBefore();
    }

    @Test
    void scheduledTasksSurviveAnError() throws Exception {
        transport.prefetchHintDefect = new NoClassDefFoundError("gone");
        offer();
        FakeAttempt first = http.next();
        FakeDelivery waits = offer(",\"deadlineMs\":1000");
        await().until(() -> pipeline.status().waiting() == 1);

        clock.advance(Duration.ofMillis(1_001));

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("deadline-exceeded");
        assertThat(waits.settled).isNotDone();
        first.respond(200);
    }

    @Test
    void aMessageThatCannotBeAnsweredIsReleasedAfterAPause() throws Exception {
        NoClassDefFoundError bug = new NoClassDefFoundError("gone");
        List<FakeDelivery> broken = List.of(
                new FakeDelivery(GET) {
                    @Override
                    public boolean claim() {
                        throw bug;
                    }
                },
                new FakeDelivery(GET) {
                    @Override
                    public long timestampMillis() {
                        throw bug;
                    }
                });
        try (CapturedLog log = CapturedLog.of("io.iocluster.pipeline")) {
            for (FakeDelivery delivery : broken) {
                await().until(() -> transport.offer(delivery));
                await().until(() -> pipeline.status().unconfirmed() == 1);
                clock.advance(Duration.ofMillis(999));
                assertMakesCallsAsBefore(1);
                assertThat(delivery.settled).isNotDone();

                clock.advance(Duration.ofMillis(1));

                assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
                await().until(() -> pipeline.status().unconfirmed() == 0);
                assertThat(pipeline.status().inFlightBytes()).isZero();
            }
            assertThat(log.events()).hasSizeLessThanOrEqualTo(4);
        }
        assertMakesCallsAsBefore();
    }

    @Test
    void aMessageThatCannotBeAnsweredIsReleasedWhenTheNodeStops() {
        FakeDelivery delivery = new FakeDelivery(GET) {
            @Override
            public long timestampMillis() {
                throw new NoClassDefFoundError("gone");
            }
        };
        transport.offer(delivery);
        assertThat(delivery.settled).isNotDone();

        pipeline.close();

        assertThat(delivery.settled).isCompletedWithValue("released");
    }

    @Test
    void theWatchdogEndsACallThatOutlivesItsDeadline() throws Exception {
        FakeDelivery delivery = offer(",\"deadlineMs\":5000");
        FakeAttempt lost = http.next();

        clock.advance(Duration.ofMillis(6_100));

        Answer answer = endsWithInternal(delivery);
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(events.overdue).hasValue(1);
        await().until(lost.result()::isCancelled);
        assertMakesCallsAsBefore();
    }

    @Test
    void reportsThatItIsStuckWhileItIsFullAndMakesNoProgress() throws Exception {
        offer();
        FakeAttempt first = http.next();
        transport.offer(new FakeDelivery("{\"url\":\"http://other.example/\"}"));
        http.next();
        await().during(Duration.ofMillis(1_700)).until(() -> !pipeline.status().stuck());

        assertThat(transport.offer(new FakeDelivery(GET))).isFalse();
        await().until(() -> pipeline.status().stuck());
        first.respond(200);

        await().until(() -> !pipeline.status().stuck());
    }

    @Test
    void aWorkerThatCannotBeReplacedAnswersTheCallsThatItHasStarted() throws Exception {
        http.noExecutor = new OutOfMemoryError("unable to create native thread");
        FakeDelivery started = offer();
        http.next();
        http.loops.get(0).shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();

        PublishedMessage lost = transport.nextPublished();
        assertThat(lost.answer().error().code()).isEqualTo("worker-lost");
        lost.confirm();
        assertThat(started.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        FakeDelivery uncalled = offer();
        http.noExecutor = null;
        http.next().respond(200);
        transport.nextPublished().confirm();
        assertThat(uncalled.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    private Answer endsWithInternal(FakeDelivery delivery) throws Exception {
        PublishedMessage published = transport.nextPublished();
        assertThat(published.answer().error().code()).isEqualTo("internal");
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        return published.answer();
    }

    private void assertMakesCallsAsBefore() throws Exception {
        assertMakesCallsAsBefore(0);
    }

    private void assertMakesCallsAsBefore(int unconfirmed) throws Exception {
        for (int i = 0; i < 5; i++) {
            FakeDelivery delivery = offer();
            http.next().respond(200);
            PublishedMessage published = transport.nextPublished();
            assertThat(published.answer().status()).isEqualTo(200);
            published.confirm();
            assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        }
        await().untilAsserted(() -> {
            assertThat(pipeline.status().inFlight()).isZero();
            assertThat(pipeline.status().unconfirmed()).isEqualTo(unconfirmed);
            assertThat(pipeline.status().inFlightBytes() > 0).isEqualTo(unconfirmed > 0);
            assertThat(pipeline.status().workers()).allMatch(worker -> worker.inFlight() == 0);
        });
    }

    private FakeDelivery offer() {
        return offer("");
    }

    private FakeDelivery offer(String more) {
        FakeDelivery delivery =
                new FakeDelivery(GET.substring(0, GET.length() - 1) + more + "}", clock.wallMillis(), Map.of());
        await().until(() -> transport.offer(delivery));
        return delivery;
    }
}
