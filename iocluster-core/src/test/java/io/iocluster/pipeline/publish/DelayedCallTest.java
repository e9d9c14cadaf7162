package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeTransport.DelayedMessage;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests a call that the broker redelivers after a delay. */
class DelayedCallTest extends DelayedRetryFixture {

    @Test
    void expiresWithSentMaybeWhenItIsRedeliveredAfterItsDeadline() throws Exception {
        DelayedMessage delayed = delayCall(60, 62000);
        clock.advance(Duration.ofSeconds(62));

        redeliver(delayed);

        Answer answer = confirmPublished();
        assertThat(answer.outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(answer.attempts()).isEqualTo(1);
    }

    @Test
    void saysThatItWasTriedBeforeWhenItIsRejectedAfterADelay() throws Exception {
        offer("{%s,\"replyTo\":\"allowed\",\"deadlineMs\":200000}");
        askToWait(http.next(), 60);
        DelayedMessage delayed = confirm(transport.nextDelayed());
        transport.missing.add("allowed");
        clock.advance(Duration.ofMillis(60_001));

        redeliver(delayed);

        Answer answer = confirmPublished();
        assertThat(answer.error().code()).isEqualTo(ErrorCode.REPLY_TO_UNKNOWN.wireName());
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(answer.id()).isEqualTo("requests-0@7");
        assertThat(answer.timing().queuedMs()).isEqualTo(60_001);
    }

    @Test
    void waitsWithTheBrokerAgainForTheRestOfALongWait() throws Exception {
        DelayedMessage first = delayCall(100, 200000);
        clock.advance(MINUTE);

        FakeDelivery redelivered = redeliver(first);

        DelayedMessage second = transport.nextDelayed();
        assertThat(second.delay()).isEqualTo(HALF_A_MINUTE);
        assertThat(second.state()).isEqualTo(first.state());
        assertThat(redelivered.settled).isNotDone();
        second.confirm();
        assertSettled(redelivered, "acknowledged");
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void endsACallThatIsDelayedAgainWhenItsMessageIsTooLarge() throws Exception {
        DelayedMessage first = delayCall(100, 200000);
        clock.advance(MINUTE);

        FakeDelivery redelivered = redeliver(first);
        transport.nextDelayed().result().complete(new PublishResult.TooLarge("over 1 MB"));

        assertThat(confirmPublished().error().code()).isEqualTo(ErrorCode.DELAYED_RETRY_TOO_LARGE.wireName());
        assertSettled(redelivered, "acknowledged");
    }

    @Test
    void releasesAnEarlyCallWhenTheBrokerRefusesItsDelayFiveTimes() throws Exception {
        DelayedMessage first = delayCall(100, 200000);
        clock.advance(MINUTE);
        FakeDelivery early = redeliver(first);

        refuseFiveTimes();

        assertSettled(early, "released");
        assertThat(transport.published).isEmpty();
    }

    /** An instant that far ahead cannot be read back from the headers. */
    @Test
    void keepsTheNumberOfAttemptsOfAMessageWithATimestampInMicroseconds() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"deadlineMs\":200000}", clock.wallMillis() * 1_000, Map.of()));
        askToWait(http.next(), 60);
        DelayedMessage delayed = confirm(transport.nextDelayed());
        assertThat(delayed.state().queuedAt()).isNull();
        clock.advance(Duration.ofMillis(60_001));

        redeliver(delayed);
        http.next().respond(200);

        assertThat(confirmPublished().attempts()).isEqualTo(2);
    }

    @Test
    void treatsUnreadableDelayHeadersLikeAnyOtherHeader() throws Exception {
        Map<String, String> foreign = Map.of("iocluster-due-at", "tomorrow", "iocluster-attempts", "many");

        assertThat(transport.offer(
                        new FakeDelivery("{\"url\":\"http://partner.example/\"}", clock.wallMillis(), foreign)))
                .isTrue();
        http.next().respond(200);

        assertThat(confirmPublished().attempts()).isEqualTo(1);
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

        Answer answer = confirmPublished();
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(answer.id()).isEqualTo("requests-0@7");
        assertThat(transport.delayed).isEmpty();
    }
}
