package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.DelayedMessage;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests delayed retries. The destination {@code slow} accepts one call at a time, lets one wait and delays the rest. */
class DelayedRetryPublisherTest {

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final RetrySettings RETRY = RetrySettings.DEFAULTS.withAttempts(3, MILLISECOND, MILLISECOND);
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeTransport transport = new FakeTransport();
    private final FakeExecutors http = new FakeExecutors();
    private final ManualClock clock = new ManualClock();
    private final Pipeline pipeline = TestPipelines.of(
            transport,
            http,
            clock,
            new WorkerSettings(
                    1, 5, 100, 10, DataSize.ofMebibytes(1), 10, 75, 4, Duration.ofSeconds(60), Duration.ofMinutes(1)),
            TestPipelines.policy(0, 0, RETRY),
            new DestinationSettings(List.of("slow.example"), "slow", slow()));

    @BeforeEach
    void start() {
        transport.delays = List.of(HALF_A_MINUTE, MINUTE);
        pipeline.start();
    }

    @AfterEach
    void stop() {
        pipeline.close();
    }

    @Test
    void acknowledgesADelayedCallOnlyAfterTheBrokerConfirmsIt() throws Exception {
        FakeDelivery delivery = offered("{%s,\"deadlineMs\":100000}");
        Instant sent = now();

        askToWait(http.next(), 70);
        DelayedMessage delayed = transport.nextDelayed();

        assertThat(delivery.settled).isNotDone();
        assertThat(pipeline.status().inFlight()).isZero();
        assertThat(pipeline.status().unconfirmed()).isEqualTo(1);
        assertThat(delayed.request()).isSameAs(delivery);
        assertThat(delayed.delay()).isEqualTo(MINUTE);
        DelayedRetry state = delayed.state();
        assertThat(state.attempts()).isEqualTo(1);
        assertThat(state.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(state.originCoordinates()).isEqualTo("requests-0@7");
        assertThat(state.queuedAt()).isEqualTo(sent);
        assertThat(Duration.between(sent, state.deadline())).isEqualTo(Duration.ofSeconds(100));
        assertThat(Duration.between(sent, state.dueAt())).isBetween(Duration.ofSeconds(70), Duration.ofMillis(70_001));
        delayed.confirm();
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        await().until(() -> pipeline.status().unconfirmed() == 0);
        assertThat(pipeline.status().inFlightBytes()).isZero();
        assertThat(transport.published).isEmpty();
    }

    @Test
    void publishesARefusedDelayedRetryAgainWithoutRepeatingTheCall() throws Exception {
        FakeDelivery delivery = offered("{%s,\"deadlineMs\":100000}");
        askToWait(http.next(), 60);
        DelayedMessage first = refused();

        awaitPublishedAgain();
        DelayedMessage second = confirmed(transport.nextDelayed());

        assertThat(second.delay()).isEqualTo(first.delay());
        assertThat(second.state()).isEqualTo(first.state());
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        await().until(() -> pipeline.status().unconfirmed() == 0);
        assertThat(pipeline.status().inFlightBytes()).isZero();
        assertThat(transport.published).isEmpty();
    }

    @Test
    void answersWithTheLastResultWhenTheBrokerRefusesADelayedRetryFiveTimes() throws Exception {
        FakeDelivery delivery = offered("{%s,\"deadlineMs\":100000}");
        askToWait(http.next(), 60);

        refused();
        for (int failure = 2; failure <= 5; failure++) {
            awaitPublishedAgain();
            refused();
        }

        Answer answer = publishedAndConfirmed();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void releasesAMessageWhoseDelayedRetryWasRefusedWhenTheNodeStops() throws Exception {
        FakeDelivery delivery = offered("{%s,\"deadlineMs\":100000}");
        askToWait(http.next(), 60);
        refused();

        pipeline.close();

        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("released");
    }

    @Test
    void releasesEveryMessageWhenTheNodeStopsEvenIfOneThrows() throws Exception {
        transport.offer(new ThrowingDelivery("{\"url\":\"http://partner.example/\",\"deadlineMs\":100000}"));
        FakeDelivery second = offered("{%s,\"deadlineMs\":100000}");
        askToWait(http.next(), 60);
        refused();
        askToWait(http.next(), 60);
        refused();

        pipeline.close();

        assertThat(second.settled).isCompletedWithValue("released");
        assertThat(pipeline.status().unconfirmed()).isZero();
        assertThat(transport.sinkClosed).isTrue();
    }

    @Test
    void releasesAnEarlyCallWhenTheBrokerRefusesItsDelayFiveTimes() throws Exception {
        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 100);
        DelayedMessage first = confirmed(transport.nextDelayed());
        clock.advance(MINUTE);
        FakeDelivery early = redeliver(first);

        refused();
        for (int failure = 2; failure <= 5; failure++) {
            awaitPublishedAgain();
            refused();
        }

        assertThat(early.settled.get(10, TimeUnit.SECONDS)).isEqualTo("released");
        assertThat(transport.published).isEmpty();
    }

    private void awaitPublishedAgain() {
        await().until(() -> {
            clock.advance(Duration.ofMillis(200));
            return !transport.delayed.isEmpty();
        });
    }

    private DelayedMessage refused() throws InterruptedException {
        DelayedMessage next = transport.nextDelayed();
        next.result().complete(new PublishResult.Failed("no such queue"));
        return next;
    }

    @Test
    void answersWithTheLastResultWhenTheMessageIsTooLargeForADelayedRetry() throws Exception {
        FakeDelivery delivery = offered("{%s,\"deadlineMs\":100000}");

        askToWait(http.next(), 60);
        transport.nextDelayed().result().complete(new PublishResult.TooLarge("over 1 MB"));

        Answer answer = publishedAndConfirmed();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void failsACallOfAFullQueueWhenItsMessageIsTooLargeForADelayedRetry() throws Exception {
        String slow = "{\"url\":\"http://slow.example/\",\"deadlineMs\":100000}";
        offered(slow);
        http.next();
        offered(slow);
        clock.advance(Duration.ofMillis(1));

        FakeDelivery delivery = offered(slow);
        transport.nextDelayed().result().complete(new PublishResult.TooLarge("over 1 MB"));

        assertThat(publishedAndConfirmed().error().code()).isEqualTo(ErrorCode.DESTINATION_FULL.wireName());
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void endsACallThatIsDelayedAgainWhenItsMessageIsTooLarge() throws Exception {
        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 100);
        DelayedMessage first = confirmed(transport.nextDelayed());
        clock.advance(MINUTE);

        FakeDelivery redelivered = redeliver(first);
        transport.nextDelayed().result().complete(new PublishResult.TooLarge("over 1 MB"));

        assertThat(publishedAndConfirmed().error().code()).isEqualTo(ErrorCode.DELAYED_RETRY_TOO_LARGE.wireName());
        assertThat(redelivered.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void keepsTheNumberOfAttemptsAfterADelay() throws Exception {
        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 60);
        DelayedMessage first = confirmed(transport.nextDelayed());
        clock.advance(Duration.ofMillis(60_001));
        redeliver(first);
        askToWait(http.next(), 60);
        DelayedMessage second = confirmed(transport.nextDelayed());
        assertThat(second.state().attempts()).isEqualTo(2);
        assertThat(second.state().deadline()).isEqualTo(first.state().deadline());
        clock.advance(Duration.ofMillis(60_001));

        FakeDelivery last = redeliver(second);
        askToWait(http.next(), 1);

        Answer answer = publishedAndConfirmed();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.attempts()).isEqualTo(3);
        assertThat(answer.id()).isEqualTo("requests-0@7");
        assertThat(answer.timing().queuedMs()).isEqualTo(120_002);
        assertThat(last.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
    }

    @Test
    void keepsItsDeadlineAfterADelay() throws Exception {
        offered("{%s,\"deadlineMs\":62000}");
        askToWait(http.next(), 60);
        DelayedMessage delayed = confirmed(transport.nextDelayed());
        clock.advance(Duration.ofMillis(60_500));

        redeliver(delayed);

        assertThat(http.next().timeout()).isEqualTo(Duration.ofMillis(1_500));
    }

    @Test
    void expiresWithSentMaybeWhenItIsRedeliveredAfterItsDeadline() throws Exception {
        offered("{%s,\"deadlineMs\":62000}");
        askToWait(http.next(), 60);
        DelayedMessage delayed = confirmed(transport.nextDelayed());
        clock.advance(Duration.ofSeconds(62));

        redeliver(delayed);

        Answer answer = publishedAndConfirmed();
        assertThat(answer.outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(answer.attempts()).isEqualTo(1);
    }

    @Test
    void answersWithTheLastResultWhenTheDeadlineLeavesNoTimeAfterTheWait() throws Exception {
        offered("{%s,\"deadlineMs\":59000}");

        askToWait(http.next(), 60);

        assertThat(publishedAndConfirmed().status()).isEqualTo(503);
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void waitsInTheNodeWhenTheWaitIsShortOrTheBrokerSupportsNoDelay() throws Exception {
        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 30 - 1);
        await().until(() -> pipeline.status().waiting() == 1);
        clock.advance(Duration.ofSeconds(30));
        http.next().respond(200);
        publishedAndConfirmed();
        transport.delays = List.of();

        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 60);

        await().until(() -> pipeline.status().waiting() == 1);
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void waitsInTheNodeForTheRestOfAShortWait() throws Exception {
        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 55);
        DelayedMessage delayed = confirmed(transport.nextDelayed());
        assertThat(delayed.delay()).isEqualTo(HALF_A_MINUTE);
        clock.advance(HALF_A_MINUTE);

        redeliver(delayed);

        assertThat(pipeline.status().waiting()).isEqualTo(1);
        clock.advance(Duration.ofMillis(24_990));
        assertThat(http.attempts.poll(100, TimeUnit.MILLISECONDS)).isNull();
        clock.advance(Duration.ofMillis(11));
        http.next();
    }

    @Test
    void waitsWithTheBrokerAgainForTheRestOfALongWait() throws Exception {
        offered("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 100);
        DelayedMessage first = confirmed(transport.nextDelayed());
        clock.advance(MINUTE);

        FakeDelivery redelivered = redeliver(first);

        DelayedMessage second = transport.nextDelayed();
        assertThat(second.delay()).isEqualTo(HALF_A_MINUTE);
        assertThat(second.state()).isEqualTo(first.state());
        assertThat(redelivered.settled).isNotDone();
        second.confirm();
        assertThat(redelivered.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void delaysACallWhenTheFullQueueMakesNoProgress() throws Exception {
        String slow = "{\"url\":\"http://slow.example/\",\"deadlineMs\":100000}";
        offered(slow);
        FakeAttempt first = http.next();
        offered(slow);
        clock.advance(Duration.ofMillis(1));

        FakeDelivery delivery = offered(slow);

        DelayedMessage delayed = transport.nextDelayed();
        assertThat(delayed.delay()).isEqualTo(HALF_A_MINUTE);
        assertThat(delayed.state().attempts()).isZero();
        assertThat(delayed.state().sent()).isEqualTo(SentStatus.NO);
        delayed.confirm();
        assertThat(delivery.settled.get(10, TimeUnit.SECONDS)).isEqualTo("acknowledged");
        first.respond(200);
        http.next().respond(200);
        clock.advance(HALF_A_MINUTE);
        redeliver(delayed);
        http.next();
    }

    @Test
    void failsACallOfAFullQueueWhenItsDeadlineIsBeforeTheEndOfTheDelay() throws Exception {
        String slow = "{\"url\":\"http://slow.example/\",\"deadlineMs\":29000}";
        offered(slow);
        http.next();
        offered(slow);
        clock.advance(Duration.ofMillis(1));

        offered(slow);

        assertThat(publishedAndConfirmed().error().code()).isEqualTo(ErrorCode.DESTINATION_FULL.wireName());
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void neverDelaysABranch() throws Exception {
        offered("{\"all\":[{%s}],\"deadlineMs\":100000}");

        askToWait(http.next(), 60);

        await().until(() -> pipeline.status().waiting() > 0);
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void treatsUnreadableDelayHeadersLikeAnyOtherHeader() throws Exception {
        Map<String, String> foreign = Map.of("iocluster-due-at", "tomorrow", "iocluster-attempts", "many");

        assertThat(transport.offer(
                        new FakeDelivery("{\"url\":\"http://partner.example/\"}", clock.wallMillis(), foreign)))
                .isTrue();
        http.next().respond(200);

        assertThat(publishedAndConfirmed().attempts()).isEqualTo(1);
    }

    @Test
    void ignoresDelayHeadersOfAProducer() throws Exception {
        Instant now = now();
        Map<String, String> forged = new HashMap<>();
        new DelayedRetry(
                        "elsewhere/0/1",
                        2,
                        SentStatus.MAYBE,
                        now.minusSeconds(5),
                        now.plusMillis(1),
                        now.plusSeconds(60))
                .toHeaders()
                .forEach((name, value) -> forged.put(name, new String(value, StandardCharsets.UTF_8)));

        transport.offer(new FakeDelivery("{\"url\":\"http://partner.example/\"}", clock.wallMillis(), forged));
        http.next().respond(200);

        Answer answer = publishedAndConfirmed();
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(answer.id()).isEqualTo("requests-0@7");
        assertThat(transport.delayed).isEmpty();
    }

    /** Returns the message that the broker redelivers after the delay. */
    private FakeDelivery redeliver(DelayedMessage delayed) {
        FakeDelivery redelivered = delayed.redeliver(clock.wallMillis());
        assertThat(transport.offer(redelivered)).isTrue();
        return redelivered;
    }

    private static DelayedMessage confirmed(DelayedMessage delayed) {
        delayed.confirm();
        return delayed;
    }

    private Answer publishedAndConfirmed() throws InterruptedException {
        var published = transport.nextPublished();
        published.confirm();
        return published.answer();
    }

    private FakeDelivery offered(String envelope) {
        String text = envelope.replace("%s", "\"url\":\"http://partner.example/\"");
        FakeDelivery delivery = new FakeDelivery(text, clock.wallMillis(), Map.of());
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private static void askToWait(FakeAttempt attempt, int seconds) {
        Header retryAfter = new Header("retry-after", Integer.toString(seconds));
        attempt.end(new Response(503, List.of(retryAfter), new byte[0], false, AttemptTiming.NONE));
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    private static DestinationPolicy slow() {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        return new DestinationPolicy(
                1,
                defaults.borrowFactor(),
                1,
                Duration.ZERO,
                QueueFullPolicy.DELAY,
                defaults.rate(),
                Duration.ofMinutes(2),
                defaults.deadline(),
                defaults.credential(),
                defaults.connectTimeout(),
                defaults.http2(),
                defaults.compression(),
                defaults.tls(),
                defaults.proxy(),
                RETRY,
                defaults.expectedStatuses(),
                defaults.breaker(),
                defaults.adaptiveConcurrency());
    }
}
