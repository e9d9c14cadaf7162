package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeResult;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpResult;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what happens to the two attempts of a slow call. */
class HedgedCallsTest extends ControlledPipeline {

    private static final String GET = "{\"url\": \"http://partner.example/\"}";
    private static final String UNREPEATABLE = "{\"url\": \"http://partner.example/\", \"method\": \"POST\"}";
    private static final Duration AFTER = Duration.ofMillis(200);
    /** The delay, and the two ticks by which the second attempt may start late. */
    private static final Duration DUE = AFTER.plusMillis(2);

    private static final WorkerSettings WORKERS = RecordCopy.with(WorkerSettings.DEFAULTS, "threads", 1);
    private static final DestinationSettings POOR = new DestinationSettings(List.of("poor.example"), "poor", policy(5));

    private final Queue<HedgeResult> hedged = new ConcurrentLinkedQueue<>();
    private final Queue<Duration> durations = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new PipelineEvents() {
                    @Override
                    public void hedged(String destination, HedgeResult result) {
                        hedged.add(result);
                    }

                    @Override
                    public void attemptEnded(String destination, HttpResult result, long nanos) {
                        durations.add(Duration.ofNanos(nanos));
                    }
                },
                WORKERS,
                policy(100),
                POOR);
        pipeline.start();
    }

    @Test
    void theSecondAttemptOfASlowCallWinsAndTheFirstIsCancelled() throws Exception {
        offer(GET);
        FakeAttempt first = http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next();
        assertThat(first.budget().tryReserve(1_000)).isTrue();
        assertThat(second.budget().tryReserve(2_000)).isTrue();
        assertThat(pipeline.status().inFlight()).isEqualTo(2);
        assertThat(pipeline.status().waiting()).isZero();

        second.respond(200);

        PublishedMessage published = transport.nextPublished();
        assertThat(published.answer().status()).isEqualTo(200);
        assertThat(published.answer().attempts()).isEqualTo(2);
        assertThat(first.result()).isCancelled();
        assertThat(hedged).containsExactly(HedgeResult.WON);
        assertThat(pipeline.status().inFlight()).isZero();
        published.confirm();
        TestPipelines.awaitNothingHeld(pipeline);
    }

    @Test
    void aCancelledAttemptIsNeitherAnEndedOneNorAnError() throws Exception {
        offer(GET);
        http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next();
        clock.advance(Duration.ofMillis(10));

        second.respond(200);

        transport.nextPublished().confirm();
        assertThat(durations).containsExactly(Duration.ofMillis(10));
        AttemptTotals attempts = pipeline.destinations().stream()
                .filter(each -> each.name().equals("partner.example:80"))
                .findAny()
                .orElseThrow()
                .attempts();
        assertThat(attempts).isEqualTo(new AttemptTotals(2, 1, 0, null));
    }

    @Test
    void anErrorOfOneAttemptWaitsForTheOther() throws Exception {
        offer(GET);
        FakeAttempt first = http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next();

        first.respond(503);
        second.respond(200);

        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(hedged).containsExactly(HedgeResult.WON);
    }

    @Test
    void aFailureSaysThatTheTargetMayHaveSeenTheCallIfOneOfTheAttemptsMayHaveReachedIt() throws Exception {
        offer("{\"url\": \"http://partner.example/\", \"retry\": {\"maxAttempts\": 2}}");
        FakeAttempt first = http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next();

        first.fail(ErrorCode.CONNECTION_CLOSED, SentStatus.MAYBE);
        second.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.error().code()).isEqualTo("connect-refused");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void aCallThatMustNotBeRepeatedGetsNoSecondAttempt() throws Exception {
        offer(UNREPEATABLE);
        FakeAttempt unrepeatable = http.next();
        offer("{\"url\": \"http://partner.example/\", \"retry\": {\"maxAttempts\": 1}}");
        FakeAttempt once = http.next();
        offer(GET);
        http.next();
        clock.advance(DUE);
        http.next().respond(200); // Answered after the tick at which the others would have got a second attempt.
        transport.nextPublished();

        assertThat(http.attempts).isEmpty();
        unrepeatable.respond(200);
        once.respond(200);
        assertThat(transport.nextPublished().answer().attempts()).isEqualTo(1);
        assertThat(transport.nextPublished().answer().attempts()).isEqualTo(1);
    }

    @Test
    void aPostWithAnIdempotencyKeyGetsASecondAttemptWithTheSameKey() throws Exception {
        offer("{\"url\": \"http://partner.example/\", \"method\": \"POST\", \"idempotencyKey\": \"k\"}");
        FakeAttempt first = http.next();
        clock.advance(DUE);

        assertThat(http.next().request()).isEqualTo(first.request());
    }

    @Test
    void aCallOverTheBudgetGetsNoSecondAttempt() throws Exception {
        offer("{\"url\": \"http://poor.example/\"}");
        FakeAttempt hedgedOne = http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next(); // The one that is always allowed in ten seconds.
        offer("{\"url\": \"http://poor.example/\"}");
        FakeAttempt other = http.next();
        clock.advance(DUE);

        await().until(() -> hedged.contains(HedgeResult.OVER_BUDGET));
        other.respond(200);
        assertThat(transport.nextPublished().answer().attempts()).isEqualTo(1);
        hedgedOne.respond(200);
        assertThat(transport.nextPublished().answer().attempts()).isEqualTo(2);
        assertThat(second.result()).isCancelled();
    }

    @Test
    void aPartialAnswerOfTheFirstAttemptIsNotCountedAfterTheSecondHasWon() throws Exception {
        offer(GET);
        FakeAttempt first = http.next();
        long held = pipeline.status().inFlightBytes();
        clock.advance(DUE);
        FakeAttempt second = http.next();
        assertThat(first.budget().tryReserve(100_000)).isTrue();

        second.respond(200);

        PublishedMessage published = transport.nextPublished();
        assertThat(pipeline.status().inFlightBytes()).isLessThan(held + 10_000);
        published.confirm();
        TestPipelines.awaitNothingHeld(pipeline);
    }

    @Test
    void anAnswerThatIsNotUsableDoesNotWin() throws Exception {
        offer("{\"url\": \"http://partner.example/\", \"usable\": {\"status\": [200]}}");
        FakeAttempt first = http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next();

        first.respond(204);
        second.respond(200);

        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(hedged).containsExactly(HedgeResult.WON);
    }

    @Test
    void aReloadThatTurnsHedgingOffPreventsTheSecondAttemptsOfRunningCalls() throws Exception {
        offer(GET);
        FakeAttempt first = http.next();
        pipeline.reconfigure(
                TestPipelines.settings(WORKERS, RecordCopy.with(policy(100), "hedge", HedgeSettings.DEFAULTS), POOR));
        offer("{\"url\": \"http://poor.example/\"}");
        FakeAttempt poor = http.next();
        clock.advance(DUE);
        FakeAttempt second = http.next();

        assertThat(second.request()).isEqualTo(poor.request());
        assertThat(hedged).isEmpty();
        first.respond(200);
        assertThat(transport.nextPublished().answer().attempts()).isEqualTo(1);
    }

    private void offer(String envelope) {
        assertThat(transport.offer(new FakeDelivery(envelope, clock.wallMillis(), Map.of())))
                .isTrue();
    }

    private static DestinationPolicy policy(int budgetPercent) {
        return RecordCopy.with(
                DestinationPolicy.DEFAULTS,
                "retry",
                RetrySettings.DEFAULTS.withAttempts(3, Duration.ofNanos(1), Duration.ofNanos(1)),
                "hedge",
                new HedgeSettings(new HedgeDelay(0, AFTER), budgetPercent, Duration.ofMillis(10)));
    }
}
