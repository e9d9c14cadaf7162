package io.iocluster.pipeline.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the queue of the destination {@code slow}. */
class CallSchedulerTest extends SlowDestinationFixture {

    @Test
    void aWaitingCallOccupiesNoSlot() throws Exception {
        offer("slow");
        FakeAttempt slow = http.next();
        offer("slow");
        offer("slow");

        offer("quick");

        assertThat(http.next().request().url().host()).isEqualTo("quick.example");
        assertThat(pipeline.status().inFlight()).isEqualTo(2);
        assertThat(pipeline.status().unconfirmed()).isZero();
        assertThat(destination("slow").waiting()).isEqualTo(2);
        slow.respond(200);
        assertThat(http.next().request().url().host()).isEqualTo("slow.example");
    }

    @Test
    void raisesThePrefetchHintWhileCallsWait() throws Exception {
        assertThat(transport.prefetchHints.poll(1, TimeUnit.MINUTES)).isEqualTo(List.of(2, 100));
        FakeAttempt first = fillSlow();

        assertThat(transport.prefetchHints.poll(1, TimeUnit.MINUTES)).isEqualTo(List.of(502, 100));
        first.respond(200);
        http.next().respond(200);
        http.next().respond(200);
        for (int i = 0; i < 3; i++) {
            transport.nextPublished().confirm();
        }
        await().until(() -> pipeline.status().unconfirmed() == 0);
        clock.advance(Duration.ofSeconds(31));

        assertThat(transport.prefetchHints.poll(1, TimeUnit.MINUTES)).isEqualTo(List.of(2, 100));
    }

    @Test
    void failsACallWhenTheFullQueueMakesNoProgress() throws Exception {
        fillSlow();

        clock.advance(Duration.ofMillis(7_001));
        FakeDelivery delivery = offer("slow");

        var published = transport.nextPublished();
        assertThat(published.answer().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(published.answer().error().code()).isEqualTo("destination-full");
        assertThat(published.answer().error().sent()).isEqualTo(SentStatus.NO);
        assertThat(published.answer().attempts()).isZero();
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void aWaitingRetryHoldsNoSlotAndOnlyTheBytesOfItsEnvelope() throws Exception {
        FakeDelivery delivery = offer("slow");
        FakeAttempt first = http.next();
        long envelope = pipeline.status().inFlightBytes();
        assertThat(envelope).isGreaterThan(delivery.payload().length);
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        first.loop().execute(() -> taken.complete(first.budget().tryReserve(1_000)));
        assertThat(taken.get(1, TimeUnit.MINUTES)).isTrue();

        first.respond(503);
        await().until(() -> pipeline.status().inFlight() == 0);

        assertThat(pipeline.status().inFlightBytes()).isEqualTo(envelope);
        assertThat(destination("slow").inFlight()).isZero();
        assertThat(destination("slow").waiting()).isEqualTo(1);
        clock.advance(BACKOFF);
        http.next().respond(200);
        Answer answer = transport.nextPublished().answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.attempts()).isEqualTo(2);
    }

    @Test
    void reportsSentMaybeWhenARetryExpires() throws Exception {
        offer("slow");
        http.next().respond(503);
        await().until(() -> destination("slow").waiting() == 1);
        offer("slow");
        http.next();

        clock.advance(Duration.ofSeconds(30));

        assertThat(transport.nextPublished().answer().error().sent()).isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void usesTheDestinationsMaxAttemptsUnlessTheEnvelopeSetsThem() throws Exception {
        offer("slow", ",\"retry\":{\"maxAttempts\":1}");

        http.next().respond(503);

        assertThat(transport.nextPublished().answer().status()).isEqualTo(503);
    }

    @Test
    void usesTheDestinationsTimeoutAndDeadlineIfTheEnvelopeSetsNone() throws Exception {
        offer("slow");
        FakeAttempt attempt = http.next();

        assertThat(attempt.timeout()).isEqualTo(Duration.ofSeconds(7));
        clock.advance(Duration.ofSeconds(20));
        attempt.fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);

        assertThat(transport.nextPublished().answer().outcome()).isEqualTo(Outcome.EXPIRED);
    }

    @Test
    void limitsATimeoutToTheMaximumOfTheNode() throws Exception {
        offer("slow", ",\"deadlineMs\":200000,\"timeoutMs\":150000");
        offer("quick", ",\"deadlineMs\":200000,\"timeoutMs\":29999");

        assertThat(http.next().timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(http.next().timeout()).isEqualTo(Duration.ofMillis(29_999));
    }
}
