package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests envelopes with several calls. The destination {@code slow} accepts one call at a time and lets one wait. */
class ScatterGatherTest extends ControlledPipeline {

    private static final Duration SHORT = Duration.ofMillis(1);
    /** A random backoff from this range never ends before a test has seen it. */
    private static final Duration BACKOFF = Duration.ofSeconds(10);

    private static final DataSize BYTES = DataSize.ofMebibytes(1);
    private static final DestinationPolicy ONCE =
            TestPipelines.policy(0, 0, RetrySettings.DEFAULTS.withAttempts(1, SHORT, SHORT));

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new WorkerSettings(1, 5, 100, 10, BYTES, 10, 75, 4, Duration.ofSeconds(60), Duration.ofMinutes(1)),
                ONCE,
                new DestinationSettings(
                        List.of("slow.example"),
                        "slow",
                        TestPipelines.policy(1, 1, RetrySettings.DEFAULTS.withAttempts(1, SHORT, SHORT))),
                new DestinationSettings(
                        List.of("again.example"),
                        "again",
                        TestPipelines.policy(0, 0, RetrySettings.DEFAULTS.withAttempts(2, BACKOFF, BACKOFF))));
        pipeline.start();
    }

    @Test
    void aForbiddenBranchFailsAlone() throws Exception {
        offer(delivery("{\"all\": [{\"url\": \"http://127.0.0.1/\"}, {\"url\": \"http://a.example/\"}]}"));

        http.next().respond(200);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(answer.error().code()).isEqualTo("incomplete-results");
        assertThat(answer.error().message()).isEqualTo("1 of 2 calls were answered");
        assertThat(answer.results()).extracting(Answer::outcome).containsExactly(Outcome.REJECTED, Outcome.ANSWERED);
        assertThat(answer.results().get(0).error().code()).isEqualTo("address-not-allowed");
    }

    @Test
    void reportsSentNoWhenAllBranchesAreForbidden() throws Exception {
        offer(delivery("{\"any\": [{\"url\": \"http://127.0.0.1/\"}, {\"url\": \"ftp://a.example/\"}]}"));

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.error().code()).isEqualTo("no-usable-answer");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.NO);
        assertThat(answer.attempts()).isZero();
    }

    @Test
    void anyReturnsTheFirstUsableAnswerAndCancelsTheOthers() throws Exception {
        offer("any", "a", "b", "c");
        Map<String, FakeAttempt> attempts = http.nextByHost(3);

        attempts.get("a").respond(404);
        attempts.get("b").respond(200);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.branch()).isEqualTo(1);
        assertThat(answer.results()).isEmpty();
        await().until(() -> attempts.get("c").result().isCancelled());
    }

    @Test
    void anyReportsEachResultIfNoneIsUsable() throws Exception {
        offer("any", "a", "b");
        Map<String, FakeAttempt> attempts = http.nextByHost(2);

        attempts.get("b").fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        attempts.get("a").respond(404);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(answer.error().code()).isEqualTo("no-usable-answer");
        assertThat(answer.branch()).isEqualTo(Answer.NO_BRANCH);
        assertThat(answer.results()).extracting(Answer::status).containsExactly(404, 0);
        assertThat(answer.results().get(1).error().code()).isEqualTo("connect-refused");
    }

    @Test
    void allReportsWhichCallsDidNotEndBeforeTheDeadline() throws Exception {
        offer(
                delivery(
                        "{\"deadlineMs\": 1000, \"all\": [{\"url\": \"http://a.example/\"}, {\"url\": \"http://b.example/\"}]}"));
        Map<String, FakeAttempt> attempts = http.nextByHost(2);

        attempts.get("a").respond(404);
        clock.advance(Duration.ofSeconds(1));
        attempts.get("b").fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(answer.error().code()).isEqualTo("incomplete-results");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(answer.results()).extracting(Answer::outcome).containsExactly(Outcome.ANSWERED, Outcome.EXPIRED);
        assertThat(answer.results().get(1).error().code()).isEqualTo("deadline-exceeded");
    }

    @Test
    void retriesEachBranchByThePolicyOfItsDestination() throws Exception {
        offer("all", "again", "a");
        Map<String, FakeAttempt> attempts = http.nextByHost(2);

        attempts.get("a").respond(503);
        attempts.get("again").respond(503);
        await().until(() ->
                pipeline.destinations().stream().anyMatch(each -> each.name().equals("again") && each.waiting() == 1));
        clock.advance(BACKOFF);
        http.next().respond(200);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.results()).extracting(Answer::status).containsExactly(200, 503);
        assertThat(answer.results()).extracting(Answer::attempts).containsExactly(2, 1);
        assertThat(answer.attempts()).isEqualTo(3);
    }

    @Test
    void aBranchWhoseRetryWasNotSentMayHaveBeenSentBefore() throws Exception {
        offer("any", "again", "a");
        Map<String, FakeAttempt> attempts = http.nextByHost(2);

        attempts.get("a").fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        attempts.get("again").fail(ErrorCode.CONNECTION_CLOSED, SentStatus.MAYBE);
        await().until(() ->
                pipeline.destinations().stream().anyMatch(each -> each.name().equals("again") && each.waiting() == 1));
        clock.advance(BACKOFF);
        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.results())
                .extracting(each -> each.error().sent())
                .containsExactly(SentStatus.MAYBE, SentStatus.NO);
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void aWaitingBranchDelaysNothingAndIsCancelledWhenAnotherWins() throws Exception {
        offer(delivery("{\"url\": \"http://slow.example/first\"}"));
        FakeAttempt first = http.next();
        offer("any", "slow", "quick");

        http.next().respond(200);

        assertThat(transport.nextPublished().answer().branch()).isEqualTo(1);
        offer(delivery("{\"url\": \"http://quick.example/\"}"));
        http.next().respond(200);
        first.respond(200);
        transport.nextPublished();
        transport.nextPublished();
        await().until(() -> pipeline.destinations().stream().allMatch(each -> each.waiting() == 0));
        offer(delivery("{\"url\": \"http://slow.example/last\"}"));
        assertThat(http.next().request().url().pathAndQuery()).isEqualTo("/last");
    }

    @Test
    void isRefusedWhileADestinationHasBackpressure() throws Exception {
        offer(delivery("{\"url\": \"http://slow.example/1\"}"));
        FakeAttempt first = http.next();
        offer(delivery("{\"url\": \"http://slow.example/2\"}"));
        long bytes = pipeline.status().inFlightBytes();
        FakeDelivery several = delivery("any", "quick", "slow");
        int before = transport.capacitySignals.get();

        assertThat(transport.offer(several)).isFalse();
        assertThat(pipeline.status().inFlightBytes()).isEqualTo(bytes);
        assertThat(http.attempts).isEmpty();
        await().until(() -> transport.capacitySignals.get() > before);
        first.respond(200);
        http.next();

        assertThat(transport.offer(several)).isTrue();
        assertThat(http.next().request().url().host()).isEqualTo("quick.example");
    }

    @Test
    void keepsNoMoreResultsOfOneMessageThanItsShare() throws Exception {
        manySlots();
        offer("all", "a", "b", "c");
        Map<String, FakeAttempt> attempts = http.nextByHost(3);

        for (String host : List.of("a", "b", "c")) {
            respond(attempts.get(host), 60 * 1024);
            await().until(() -> pipeline.status().workers().get(0).inFlight()
                    == attempts.values().stream()
                            .filter(each -> !each.result().isDone())
                            .count());
        }

        PublishedMessage published = transport.nextPublished();
        assertThat(published.answer().results())
                .extracting(Answer::outcome)
                .containsExactly(Outcome.ANSWERED, Outcome.ANSWERED, Outcome.FAILED);
        published.confirm();
        TestPipelines.awaitNothingHeld(pipeline);
    }

    @Test
    void theFirstUsableAnswerNeedsNoShare() throws Exception {
        manySlots();
        offer("any", "a", "b");
        Map<String, FakeAttempt> attempts = http.nextByHost(2);

        respond(attempts.get("a"), 100 * 1024);

        PublishedMessage published = transport.nextPublished();
        assertThat(published.answer().outcome()).isEqualTo(Outcome.ANSWERED);
        published.confirm();
        TestPipelines.awaitNothingHeld(pipeline);
    }

    /** All messages may keep 256 KiB of results, and each one 128 KiB. */
    private void manySlots() {
        pipeline.reconfigure(TestPipelines.settings(
                new WorkerSettings(1, 41, 100, 10, BYTES, 10, 75, 4, Duration.ofSeconds(60), Duration.ofMinutes(1)),
                ONCE));
    }

    private static void respond(FakeAttempt attempt, int bytes) {
        assertThat(attempt.budget().tryReserve(bytes)).isTrue();
        attempt.end(new HttpResult.Response(200, List.of(), new byte[bytes], false, AttemptTiming.NONE));
    }

    private FakeDelivery offer(String mode, String... hosts) {
        return offer(delivery(mode, hosts));
    }

    private FakeDelivery offer(FakeDelivery delivery) {
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private FakeDelivery delivery(String mode, String... hosts) {
        String branches = Stream.of(hosts)
                .map(host -> "{\"url\": \"http://" + host + ".example/\"}")
                .collect(Collectors.joining(", "));
        return delivery("{\"id\": \"i\", \"context\": [7], \"%s\": [%s]}".formatted(mode, branches));
    }

    private FakeDelivery delivery(String envelope) {
        return new FakeDelivery(envelope, clock.wallMillis(), Map.of());
    }
}
