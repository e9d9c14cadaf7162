package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.HttpSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.Sent;
import io.iocluster.pipeline.FakeExecutors.Attempt;
import io.iocluster.pipeline.FakeTransport.Published;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.transport.FakeDelivery;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PipelineTest {

    private static final String GET = "{\"id\":\"i\",\"url\":\"http://partner.example/\",\"context\":{\"a\":1}}";
    private static final String NEVER = "{\"id\":\"i\",\"url\":\"http://partner.example/\",\"reply\":\"never\"}";

    private final FakeTransport transport = new FakeTransport();
    private final FakeExecutors http = new FakeExecutors();
    private final TurnedClock clock = new TurnedClock();
    private Pipeline pipeline;

    @BeforeEach
    void start() {
        pipeline = pipeline(1, 2);
        pipeline.start();
    }

    @AfterEach
    void stop() {
        pipeline.close();
    }

    @Test
    void acknowledgesOnlyAfterTheAnswerIsConfirmed() throws Exception {
        FakeDelivery delivery = offered(GET);

        http.next().respond(200);
        Published published = transport.nextPublished();

        assertThat(delivery.settled).isNotDone();
        assertThat(pipeline.status().calls()).isZero();
        assertThat(pipeline.status().unconfirmed()).isEqualTo(1);
        published.confirm();
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        await().until(() -> pipeline.status().unconfirmed() == 0);
        assertThat(pipeline.status().bytes()).isZero();
        Answer answer = published.answer();
        assertThat(answer.id()).isEqualTo("i");
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.node()).isEqualTo("node-1");
        assertThat(answer.context()).isEqualTo("{\"a\":1}");
    }

    @Test
    void givesTheMessageBackWhenItsAnswerIsNotConfirmed() throws Exception {
        FakeDelivery delivery = offered(GET);

        http.next().respond(200);
        transport.nextPublished().result().complete(new PublishResult.Failed("broker away"));

        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("released");
        await().until(() -> pipeline.status().unconfirmed() == 0);
    }

    @Test
    void givesTheMessageBackWhenPublishingIsDefective() throws Exception {
        FakeDelivery delivery = offered(GET);

        http.next().respond(200);
        transport.nextPublished().result().completeExceptionally(new IllegalStateException("defect"));

        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("released");
    }

    @Test
    void makesADeadLetterOfBytesThatAreNoEnvelopeAndAcknowledgesOnlyAfterItIsConfirmed() throws Exception {
        FakeDelivery delivery = offered("no envelope");

        Published published = transport.nextPublished();

        assertThat(published.deadLetterCode()).isEqualTo("malformed-envelope");
        assertThat(delivery.settled).isNotDone();
        published.confirm();
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void givesTheMessageBackWhenItsDeadLetterIsNotConfirmed() throws Exception {
        FakeDelivery delivery = offered("no envelope");

        transport.nextPublished().result().complete(new PublishResult.TooLarge("even for a dead letter"));

        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("released");
    }

    @Test
    void rejectsWithoutACallWhatMayNotBeTried() throws Exception {
        for (var row : Map.of(
                        "{\"url\":\"http://127.0.0.1/\"}", "address-not-allowed",
                        "{\"url\":\"ftp://partner.example/\"}", "scheme-not-allowed",
                        "{\"url\":\"http://partner.example/\",\"method\":\"get\"}", "invalid-method",
                        "{\"url\":\"http://partner.example/\",\"headers\":{\"Host\":\"x\"}}", "forbidden-header",
                        "{\"url\":\"http://partner.example/\",\"typo\":1}", "unknown-field",
                        "{\"url\":\"http://partner.example/\",\"timeoutMs\":0}", "invalid-timeout",
                        "{\"url\":\"http://partner.example/\",\"auth\":\"a\"}", "unknown-credential",
                        "{\"url\":\"http://partner.example/\",\"replyTo\":\"x\"}", "reply-to-not-allowed",
                        "{\"url\":\"http://partner.example/\",\"method\":\"POST\",\"body\":\"12345678901\"}",
                                "request-too-large")
                .entrySet()) {
            FakeDelivery delivery = offered(row.getKey());

            Published published = transport.nextPublished();
            published.confirm();

            assertThat(published.answer().outcome()).as(row.getKey()).isEqualTo(Outcome.REJECTED);
            assertThat(published.answer().error().code()).as(row.getKey()).isEqualTo(row.getValue());
            assertThat(published.answer().id()).isEqualTo("requests-0@7");
            assertThat(published.answer().attempts()).isZero();
            assertThat(published.replyTo()).isNull();
            assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        }
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void publishesNothingWhereTheSenderWantsNoReply() throws Exception {
        FakeDelivery delivery = offered(NEVER);

        http.next().respond(404);

        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        assertThat(transport.published).isEmpty();
    }

    @Test
    void makesADeadLetterOfAFailureThatMayNotBeAnswered() throws Exception {
        FakeDelivery delivery =
                offered("{\"url\":\"http://partner.example/\",\"method\":\"POST\",\"reply\":\"never\"}");

        http.next().fail(ErrorCode.TLS, Sent.MAYBE);
        Published published = transport.nextPublished();
        published.confirm();

        assertThat(published.deadLetterCode()).isEqualTo("tls");
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void answersToTheAllowedPlaceThatTheEnvelopeNames() throws Exception {
        offered("{\"url\":\"http://partner.example/\",\"replyTo\":\"allowed\"}");

        http.next().respond(200);

        assertThat(transport.nextPublished().replyTo()).isEqualTo("allowed");
    }

    @Test
    void answersWithACodeWhereTheAnswerIsTooLargeAndNeverLoops() throws Exception {
        FakeDelivery delivery = offered(GET);
        http.next().respond(200);
        PublishResult tooLarge = new PublishResult.TooLarge("over 1 MB");

        transport.nextPublished().result().complete(tooLarge);
        Published smaller = transport.nextPublished();
        smaller.result().complete(tooLarge);
        Published smallest = transport.nextPublished();
        smallest.result().complete(tooLarge);
        Published deadLetter = transport.nextPublished();
        deadLetter.confirm();

        assertThat(smaller.answer().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(smaller.answer().error().code()).isEqualTo("answer-too-large");
        assertThat(smaller.answer().context()).isEqualTo("{\"a\":1}");
        assertThat(smallest.answer().context()).isNull();
        assertThat(deadLetter.deadLetterCode()).isEqualTo("answer-too-large");
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void doesNotTryACallWhoseDeadlinePassedOnTheQueue() throws Exception {
        FakeDelivery delivery = new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"deadlineMs\":1000}", clock.wallMillis() - 1_001, Map.of());
        assertThat(transport.offer(delivery)).isTrue();

        Answer answer = transport.nextPublished().answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(answer.error().code()).isEqualTo("deadline-exceeded");
        assertThat(answer.error().sent()).isEqualTo(Sent.NO);
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void doesNotTryACallWhoseMessageOutlivedItsTime() throws Exception {
        transport.offer(new FakeDelivery(GET, clock.wallMillis() - 1_001, Map.of(), 1_000));

        Answer answer = transport.nextPublished().answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void takesTheShorterOfTheMessagesTimeAndTheNodesDeadline() throws Exception {
        transport.offer(new FakeDelivery(GET, clock.wallMillis() - 100, Map.of(), 800));

        assertThat(http.next().timeout()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void doesNotLetLagAloneExpireACallWithoutADeadlineOfItsOwn() throws Exception {
        transport.offer(new FakeDelivery(GET, clock.wallMillis() - 3_600_000, Map.of()));

        assertThat(http.next().timeout()).isEqualTo(HttpSettings.DEFAULTS.timeout());
    }

    @Test
    void boundsAnAttemptByWhatIsLeftOfTheDeadlineAndSaysExpiredWhenItPassed() throws Exception {
        offered("{\"url\":\"http://partner.example/\",\"deadlineMs\":700,\"timeoutMs\":1000}");

        Attempt attempt = http.next();
        assertThat(attempt.timeout()).isEqualTo(Duration.ofMillis(700));
        clock.turn(Duration.ofMillis(700));
        attempt.fail(ErrorCode.TIMEOUT, Sent.MAYBE);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(answer.error().sent()).isEqualTo(Sent.MAYBE);
    }

    @Test
    void triesAgainWhatSurelyWasNotSent() throws Exception {
        offered("{\"url\":\"http://partner.example/\",\"method\":\"POST\"}");

        http.next().fail(ErrorCode.CONNECT_REFUSED, Sent.NO);
        http.next().respond(201);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.attempts()).isEqualTo(2);
    }

    @Test
    void doesNotRepeatAPostThatTheTargetMayHaveSeen() throws Exception {
        offered("{\"url\":\"http://partner.example/\",\"method\":\"POST\"}");

        http.next().fail(ErrorCode.CONNECTION_CLOSED, Sent.MAYBE);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.error().code()).isEqualTo("connection-closed");
        assertThat(answer.attempts()).isEqualTo(1);
    }

    @Test
    void handsTheTraceOnAndTheIdempotencyKey() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"idempotencyKey\":\"k\"}",
                -1,
                Map.of("traceparent", "00-1-2-01")));

        assertThat(http.next().request().headers())
                .extracting("name", "value")
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("traceparent", "00-1-2-01"),
                        org.assertj.core.groups.Tuple.tuple("Idempotency-Key", "k"));
    }

    @Test
    void handsTheStateOfTheTraceOnWithIt() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\"}", -1, Map.of("traceparent", "00-1-2-01", "tracestate", "a=1")));

        assertThat(http.next().request().headers())
                .containsExactly(new Header("traceparent", "00-1-2-01"), new Header("tracestate", "a=1"));
    }

    @Test
    void aTraceThatTheEnvelopeNamesIsLeftAlone() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"headers\":{\"Traceparent\":\"00-own\"}}",
                -1,
                Map.of("traceparent", "00-1-2-01", "tracestate", "a=1")));

        assertThat(http.next().request().headers()).containsExactly(new Header("Traceparent", "00-own"));
    }

    @Test
    void refusesWhatDoesNotFitTheWindowAndSaysWhenThereIsRoom() throws Exception {
        offered(NEVER);
        offered(NEVER);
        FakeDelivery third = new FakeDelivery(NEVER);

        assertThat(transport.offer(third)).isFalse();
        int before = transport.roomFreed.get();
        http.next().respond(200);
        await().until(() -> transport.roomFreed.get() > before);

        assertThat(transport.offer(third)).isTrue();
    }

    @Test
    void makesRoomForTheNextCallWhenOneEndsButNotForEverMoreUnconfirmedAnswers() throws Exception {
        List<Published> unconfirmed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            offered(GET);
            http.next().respond(200);
            unconfirmed.add(transport.nextPublished());
        }
        FakeDelivery fourth = new FakeDelivery(GET);

        assertThat(transport.offer(fourth)).isFalse();
        int before = transport.roomFreed.get();
        unconfirmed.remove(0).confirm();
        await().until(() -> transport.roomFreed.get() > before);

        assertThat(transport.offer(fourth)).isTrue();
    }

    @Test
    void countsAnswersBodiesInTheWindowOfBytes() throws Exception {
        offered(NEVER);
        Attempt attempt = http.next();

        CompletableFuture<Boolean> fits = new CompletableFuture<>();
        attempt.loop().execute(() -> fits.complete(attempt.budget().tryTake(1 << 19)));
        assertThat(fits.get(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        attempt.loop().execute(() -> over.complete(attempt.budget().tryTake(1 << 19)));
        assertThat(over.get(10, TimeUnit.SECONDS)).isFalse();
        assertThat(pipeline.status().bytes()).isEqualTo(NEVER.length() + (1 << 19));

        attempt.respond(200);
        await().until(() -> pipeline.status().bytes() == 0);
    }

    @Test
    void drainsByAnsweringWhatIsUnderWay() throws Exception {
        FakeDelivery delivery = offered(NEVER);
        Attempt attempt = http.next();
        CompletableFuture<Boolean> drained =
                CompletableFuture.supplyAsync(() -> pipeline.drain(Duration.ofSeconds(10)));
        await().until(() -> pipeline.status().state() == PipelineState.DRAINING);

        attempt.respond(200);

        assertThat(drained.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(delivery.settled).isCompletedWithValue("acknowledged");
        assertThat(transport.sourceClosed).isTrue();
        assertThat(transport.sinkClosed).isTrue();
    }

    @Test
    void givesBackWhatHasNoAnswerWhenTheDrainTimeIsOver() throws Exception {
        FakeDelivery delivery = offered(GET);
        Attempt attempt = http.next();

        assertThat(pipeline.drain(Duration.ofMillis(50))).isFalse();

        assertThat(delivery.settled).isCompletedWithValue("released");
        attempt.result().complete(null);
        assertThat(transport.published).isEmpty();
    }

    @Test
    void replacesADeadWorkerAndAnswersOrRepeatsItsCalls() throws Exception {
        FakeDelivery begun = offered(GET);
        Attempt first = http.next();
        CountDownLatch stuck = new CountDownLatch(1);
        first.loop().execute(() -> awaitQuietly(stuck));
        FakeDelivery untouched = offered("{\"id\":\"u\",\"url\":\"http://partner.example/\"}");

        clock.turn(Duration.ofSeconds(11));
        Published lost = transport.nextPublished();
        Attempt again = http.next();

        assertThat(lost.answer().error().code()).isEqualTo("worker-lost");
        assertThat(lost.answer().error().sent()).isEqualTo(Sent.MAYBE);
        assertThat(again.loop()).isNotSameAs(first.loop());
        assertThat(pipeline.status().replacedWorkers()).isEqualTo(1);
        stuck.countDown();
        lost.confirm();
        again.respond(200);
        transport.nextPublished().confirm();
        assertThat(begun.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        assertThat(untouched.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void replacesAWorkerWhoseLoopEnded() throws Exception {
        http.loops.get(0).shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();

        FakeDelivery delivery = offered(NEVER);
        http.next().respond(200);

        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void startsOnce() {
        assertThatThrownBy(pipeline::start).isInstanceOf(IllegalStateException.class);
    }

    private FakeDelivery offered(String envelope) {
        FakeDelivery delivery = new FakeDelivery(envelope, clock.wallMillis(), Map.of());
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private Pipeline pipeline(int threads, int maxInFlight) {
        return TestPipelines.of(
                transport,
                http,
                clock,
                new WorkerSettings(threads, maxInFlight, 3, 10, DataSize.ofMebibytes(1), 10, 4, Duration.ofSeconds(10)),
                TestPipelines.policy(0, 0, RetrySettings.DEFAULTS.with(3, Duration.ofNanos(1), Duration.ofNanos(1))));
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
