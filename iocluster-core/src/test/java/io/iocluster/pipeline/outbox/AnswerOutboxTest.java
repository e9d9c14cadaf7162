package io.iocluster.pipeline.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer.Timing;
import io.iocluster.message.Outcome;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.PipelineFixture;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.ThrowingDelivery;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how the node publishes answers that the broker does not confirm. */
class AnswerOutboxTest extends PipelineFixture {

    private static final PublishResult FAILED = new PublishResult.Failed("no leader");
    private static final PublishResult MISSING = new PublishResult.UnknownTopicOrQueue("allowed does not exist");
    private static final Duration A_WHILE = Duration.ofMillis(600);

    @Test
    void divertsAnAnswerToTheConfiguredTopicAndThenToTheDeadLetters() throws Exception {
        FakeDelivery delivery = offer(to("allowed"));
        http.next().respond(200);

        PublishedMessage elsewhere = failUntilAnotherReplyTo(MISSING, transport.nextPublished());
        assertThat(elsewhere.replyTo()).isNull();
        assertThat(elsewhere.deadLetterCode()).isNull();
        assertThat(elsewhere.answer().status()).isEqualTo(200);
        PublishedMessage last = failUntilAnotherReplyTo(FAILED, elsewhere);
        assertThat(last.deadLetterCode()).isEqualTo("answer-not-published");
        assertThat(last.answer().status()).isEqualTo(200);
        assertThat(delivery.settled).isNotDone();
        last.confirm();

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void leavesOutTheTimingIfAnswersShallNotHaveIt() throws Exception {
        offer(GET);
        FakeAttempt timed = http.next();
        advance(A_WHILE);
        timed.respond(200);
        PublishedMessage first = transport.nextPublished();
        assertThat(first.answer().timing().totalMs()).isPositive();
        first.confirm();

        reconfigure(RecordCopy.with(AnswerSettings.DEFAULTS, "timing", false));
        offer(GET);
        FakeAttempt untimed = http.next();
        advance(A_WHILE);
        untimed.respond(200);
        assertThat(transport.nextPublished().answer().timing()).isEqualTo(Timing.NONE);
    }

    @Test
    void shrinksADeadLetterWhoseAnswerIsTooLarge() throws Exception {
        FakeDelivery delivery = offer(GET);
        http.next().respond(200);
        PublishedMessage letter = failUntilAnotherReplyTo(FAILED, transport.nextPublished());

        letter.result().complete(new PublishResult.TooLarge("over 1 MB"));
        PublishedMessage withoutBody = transport.nextPublished();
        assertThat(withoutBody.deadLetterCode()).isEqualTo("answer-not-published");
        assertThat(withoutBody.answer().status()).isEqualTo(200);
        assertThat(withoutBody.answer().truncated()).isTrue();
        withoutBody.result().complete(new PublishResult.TooLarge("over 1 MB"));
        PublishedMessage smaller = transport.nextPublished();
        smaller.confirm();

        assertThat(smaller.deadLetterCode()).isEqualTo("answer-not-published");
        assertThat(smaller.answer().error().code()).isEqualTo("answer-too-large");
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void doesNotDivertAnAnswerWhileTheBrokerIsUnreachable() throws Exception {
        offer(to("allowed"));
        http.next().respond(200);
        PublishedMessage published = transport.nextPublished();
        transport.connected = false;

        for (int i = 0; i < 40; i++) {
            published.result().complete(FAILED);
            published = next();
        }
        assertThat(published.replyTo()).isEqualTo("allowed");

        transport.connected = true;
        assertThat(failUntilAnotherReplyTo(FAILED, published).replyTo()).isNull();
    }

    @Test
    void probesAMissingReplyToWithOneAnswerAtATime() throws Exception {
        List<FakeDelivery> deliveries = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            deliveries.add(offer(to("allowed")));
            http.next().respond(200);
        }
        List<PublishedMessage> both = List.of(transport.nextPublished(), transport.nextPublished());
        both.forEach(published -> published.result().complete(MISSING));

        PublishedMessage probe = next();
        advance(Duration.ofSeconds(2));
        assertThat(transport.published).isEmpty();
        probe.confirm();
        next().confirm();

        for (FakeDelivery delivery : deliveries) {
            assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        }
    }

    @Test
    void divertsAnswersBeyondTheShareOfASlowReplyToWhileOthersConfirm() throws Exception {
        reconfigure(new AnswerSettings(
                A_WHILE,
                Duration.ofMinutes(10),
                4,
                AnswerSettings.DEFAULTS.maxWaitingBytes(),
                AnswerSettings.DEFAULTS.maxBytesPerReplyTo(),
                true));
        offer(to("allowed"));
        http.next().respond(200);
        transport.nextPublished();
        advanceUntil(() -> pipeline.status().waitingAnswers() == 1);
        for (int i = 0; i < 3; i++) {
            offer(to("allowed"));
            http.next().respond(200);
        }
        await().until(() -> pipeline.status().unconfirmed() == 4);
        advance(A_WHILE);
        assertThat(transport.published).isEmpty();

        offer(to("allowed-2"));
        http.next().respond(200);
        transport.nextPublished().confirm();
        advance(Duration.ofMillis(100));

        List<PublishedMessage> diverted = List.of(transport.nextPublished(), transport.nextPublished());
        assertThat(diverted).extracting(PublishedMessage::replyTo).containsOnlyNulls();
        assertThat(pipeline.status().waitingAnswers()).isEqualTo(2);
    }

    @Test
    void limitsTheBytesThatTheBrokersClientHoldsForOneReplyTo() throws Exception {
        reconfigure(new AnswerSettings(
                A_WHILE,
                Duration.ofMinutes(10),
                10,
                AnswerSettings.DEFAULTS.maxWaitingBytes(),
                new DataSize(1 << 16),
                true));
        String large = "{\"url\":\"http://partner.example/\",\"replyTo\":\"allowed\",\"context\":\""
                + "x".repeat(30_000) + "\"}";
        for (int i = 0; i < 2; i++) {
            offer(large);
            http.next().respond(200);
        }
        PublishedMessage first = transport.nextPublished();
        await().until(() -> pipeline.status().unconfirmed() == 2);
        advanceUntil(() -> pipeline.status().waitingAnswers() == 2);
        assertThat(transport.published).isEmpty();

        first.confirm();
        transport.nextPublished().confirm();

        await().until(() -> pipeline.status().unconfirmed() == 0);
    }

    @Test
    void rejectsAnEnvelopeWithAMissingReplyToAndAnswersToTheConfiguredTopic() throws Exception {
        transport.missing.add("allowed");

        FakeDelivery delivery = offer(to("allowed"));
        PublishedMessage published = transport.nextPublished();
        published.confirm();

        assertThat(published.replyTo()).isNull();
        assertThat(published.answer().outcome()).isEqualTo(Outcome.REJECTED);
        assertThat(published.answer().error().code()).isEqualTo("reply-to-unknown");
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void releasesEveryMessageWhenTheNodeStopsEvenIfOneThrows() throws Exception {
        transport.offer(new ThrowingDelivery(GET));
        http.next().respond(200);
        transport.nextPublished().result().complete(FAILED);
        FakeDelivery second = offer(GET);
        http.next().respond(200);
        transport.nextPublished().result().complete(FAILED);

        pipeline.close();

        assertThat(second.settled).isCompletedWithValue("released");
        assertThat(pipeline.status().unconfirmed()).isZero();
        assertThat(transport.sinkClosed).isTrue();
    }

    private static String to(String replyTo) {
        return "{\"id\":\"i\",\"url\":\"http://partner.example/\",\"replyTo\":\"" + replyTo + "\"}";
    }

    private void reconfigure(AnswerSettings answers) {
        PipelineSettings now = TestPipelines.settings(workers(1, 2), POLICY);
        pipeline.reconfigure(RecordCopy.with(now, "answers", answers));
    }

    /** Fails each publish to the topic or queue of the first one, and returns the first publish to another. */
    private PublishedMessage failUntilAnotherReplyTo(PublishResult how, PublishedMessage first)
            throws InterruptedException {
        PublishedMessage published = first;
        for (int i = 0; i < 500; i++) {
            published.result().complete(how);
            published = next();
            if (!Objects.equals(published.replyTo(), first.replyTo())
                    || !Objects.equals(published.deadLetterCode(), first.deadLetterCode())) {
                return published;
            }
        }
        throw new AssertionError("still at " + first.replyTo());
    }

    /** Advances the clock until something is published. */
    private PublishedMessage next() throws InterruptedException {
        advanceUntil(() -> !transport.published.isEmpty());
        return transport.nextPublished();
    }

    private void advanceUntil(Callable<Boolean> condition) {
        await().pollInterval(Duration.ofMillis(2)).until(() -> {
            clock.advance(Duration.ofMillis(100));
            return condition.call();
        });
    }

    /** Advances the clock by this duration, in steps that the pipeline's tick sees. */
    private void advance(Duration by) {
        long end = clock.nanos() + by.toNanos();
        advanceUntil(() -> clock.nanos() > end);
    }
}
