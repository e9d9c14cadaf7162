package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.DelayedMessage;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;

/**
 * A pipeline whose transport supports delayed retries of 30 and 60 seconds. The destination {@code slow} accepts one call at a time,
 * lets one wait and delays the rest.
 */
abstract class DelayedRetryFixture extends ControlledPipeline {

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final RetrySettings RETRY = RetrySettings.DEFAULTS.withAttempts(3, MILLISECOND, MILLISECOND);
    static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);
    static final Duration MINUTE = Duration.ofMinutes(1);

    @BeforeEach
    void start() {
        transport.delays = List.of(HALF_A_MINUTE, MINUTE);
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                TestPipelines.oneWorker(5),
                TestPipelines.policy(0, 0, RETRY),
                new DestinationSettings(List.of("slow.example"), "slow", slow()));
        pipeline.start();
    }

    /** Sends a call whose response asks for a wait, and returns its delayed message after the broker has confirmed it. */
    final DelayedMessage delayCall(int retryAfterSeconds, int deadlineMs) throws InterruptedException {
        offer("{%s,\"deadlineMs\":" + deadlineMs + "}");
        askToWait(http.next(), retryAfterSeconds);
        return confirm(transport.nextDelayed());
    }

    static String slowCall(int deadlineMs) {
        return "{\"url\":\"http://slow.example/\",\"deadlineMs\":" + deadlineMs + "}";
    }

    /** Starts one call to {@code slow} and fills its queue. Returns the attempt of the started call. */
    final FakeAttempt fillQueue(String slow) throws InterruptedException {
        offer(slow);
        FakeAttempt first = http.next();
        offer(slow);
        clock.advance(Duration.ofMillis(1));
        return first;
    }

    /** Refuses a delayed message and the four times that it is published again. */
    final void refuseFiveTimes() throws InterruptedException {
        refuse();
        for (int failure = 2; failure <= 5; failure++) {
            awaitPublishedAgain();
            refuse();
        }
    }

    static void assertSettled(FakeDelivery delivery, String settlement) throws Exception {
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo(settlement);
    }

    void awaitPublishedAgain() {
        await().until(() -> {
            clock.advance(Duration.ofMillis(200));
            return !transport.delayed.isEmpty();
        });
    }

    DelayedMessage refuse() throws InterruptedException {
        DelayedMessage next = transport.nextDelayed();
        next.result().complete(new PublishResult.Failed("no such queue"));
        return next;
    }

    /** Returns the message that the broker redelivers after the delay. */
    FakeDelivery redeliver(DelayedMessage delayed) {
        FakeDelivery redelivered = delayed.redeliver(clock.wallMillis());
        assertThat(transport.offer(redelivered)).isTrue();
        return redelivered;
    }

    static DelayedMessage confirm(DelayedMessage delayed) {
        delayed.confirm();
        return delayed;
    }

    Answer confirmPublished() throws InterruptedException {
        var published = transport.nextPublished();
        published.confirm();
        return published.answer();
    }

    FakeDelivery offer(String envelope) {
        String text = envelope.replace("%s", "\"url\":\"http://partner.example/\"");
        FakeDelivery delivery = new FakeDelivery(text, clock.wallMillis(), Map.of());
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    static void askToWait(FakeAttempt attempt, int seconds) {
        Header retryAfter = new Header("retry-after", Integer.toString(seconds));
        attempt.end(new Response(503, List.of(retryAfter), new byte[0], false, AttemptTiming.NONE));
    }

    Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    private static DestinationPolicy slow() {
        return RecordCopy.with(
                DestinationPolicy.DEFAULTS,
                "maxInFlight",
                1,
                "maxWaiting",
                1,
                "backpressureTimeout",
                Duration.ZERO,
                "whenFull",
                QueueFullPolicy.DELAY,
                "timeout",
                Duration.ofMinutes(2),
                "retry",
                RETRY);
    }
}
