package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.DelayedMessage;
import io.iocluster.pipeline.ThrowingDelivery;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when a call is delayed, and what happens until the broker confirms the delayed message. */
class DelayedRetryPublisherTest extends DelayedRetryFixture {

    @Test
    void answersWithTheLastResultWhenTheBrokerRefusesADelayedRetryFiveTimes() throws Exception {
        FakeDelivery delivery = offer("{%s,\"deadlineMs\":100000}");
        askToWait(http.next(), 60);

        refuseFiveTimes();

        Answer answer = confirmPublished();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.attempts()).isEqualTo(1);
        assertSettled(delivery, "acknowledged");
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void releasesEveryMessageWhenTheNodeStopsEvenIfOneThrows() throws Exception {
        transport.offer(new ThrowingDelivery("{\"url\":\"http://partner.example/\",\"deadlineMs\":100000}"));
        FakeDelivery second = offer("{%s,\"deadlineMs\":100000}");
        askToWait(http.next(), 60);
        refuse();
        askToWait(http.next(), 60);
        refuse();

        pipeline.close();

        assertThat(second.settled).isCompletedWithValue("released");
        assertThat(pipeline.status().unconfirmed()).isZero();
        assertThat(transport.sinkClosed).isTrue();
    }

    @Test
    void answersWithTheLastResultWhenTheMessageIsTooLargeForADelayedRetry() throws Exception {
        FakeDelivery delivery = offer("{%s,\"deadlineMs\":100000}");

        askToWait(http.next(), 60);
        transport.nextDelayed().result().complete(new PublishResult.TooLarge("over 1 MB"));

        Answer answer = confirmPublished();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.attempts()).isEqualTo(1);
        assertSettled(delivery, "acknowledged");
    }

    @Test
    void failsACallOfAFullQueueWhenItsMessageIsTooLargeForADelayedRetry() throws Exception {
        String slow = slowCall(100000);
        fillQueue(slow);

        FakeDelivery delivery = offer(slow);
        transport.nextDelayed().result().complete(new PublishResult.TooLarge("over 1 MB"));

        assertThat(confirmPublished().error().code()).isEqualTo(ErrorCode.DESTINATION_FULL.wireName());
        assertSettled(delivery, "acknowledged");
    }

    @Test
    void answersWithTheLastResultWhenTheDeadlineLeavesNoTimeAfterTheWait() throws Exception {
        offer("{%s,\"deadlineMs\":59000}");

        askToWait(http.next(), 60);

        assertThat(confirmPublished().status()).isEqualTo(503);
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void waitsInTheNodeWhenTheWaitIsShortOrTheBrokerSupportsNoDelay() throws Exception {
        offer("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 30 - 1);
        await().until(() -> pipeline.status().waiting() == 1);
        clock.advance(Duration.ofSeconds(30));
        http.next().respond(200);
        confirmPublished();
        transport.delays = List.of();

        offer("{%s,\"deadlineMs\":200000}");
        askToWait(http.next(), 60);

        await().until(() -> pipeline.status().waiting() == 1);
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void delaysACallWhenTheFullQueueMakesNoProgress() throws Exception {
        String slow = slowCall(100000);
        FakeAttempt first = fillQueue(slow);

        FakeDelivery delivery = offer(slow);

        DelayedMessage delayed = transport.nextDelayed();
        assertThat(delayed.delay()).isEqualTo(HALF_A_MINUTE);
        assertThat(delayed.state().attempts()).isZero();
        assertThat(delayed.state().sent()).isEqualTo(SentStatus.NO);
        delayed.confirm();
        assertSettled(delivery, "acknowledged");
        first.respond(200);
        http.next().respond(200);
        clock.advance(HALF_A_MINUTE);
        redeliver(delayed);
        http.next();
    }

    @Test
    void failsACallOfAFullQueueWhenItsDeadlineIsBeforeTheEndOfTheDelay() throws Exception {
        String slow = slowCall(29000);
        fillQueue(slow);

        offer(slow);

        assertThat(confirmPublished().error().code()).isEqualTo(ErrorCode.DESTINATION_FULL.wireName());
        assertThat(transport.delayed).isEmpty();
    }

    @Test
    void neverDelaysABranch() throws Exception {
        offer("{\"all\":[{%s}],\"deadlineMs\":100000}");

        askToWait(http.next(), 60);

        await().until(() -> pipeline.status().waiting() > 0);
        assertThat(transport.delayed).isEmpty();
    }
}
