package io.iocluster.pipeline.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how the breaker of the destination {@code slow} opens, and what it does to the calls in its queue. */
class CallSchedulerBreakerTest extends SlowDestinationFixture {

    @Test
    void queuesCallsWhileTheBreakerIsOpenAndStartsThemAfterItsProbes() throws Exception {
        for (int i = 0; i < 2; i++) {
            offer("slow", ",\"retry\":{\"maxAttempts\":1}");
            http.next().respond(500);
            transport.nextPublished().confirm();
        }
        assertThat(destination("slow").breaker()).isEqualTo(BreakerState.OPEN);
        offer("slow");
        offer("slow");
        clock.advance(Duration.ofMillis(201));
        offer("slow");
        FakeTransport.PublishedMessage refused = transport.nextPublished();
        assertThat(refused.answer().error().code()).isEqualTo("breaker-open");
        refused.confirm();
        assertThat(http.attempts).isEmpty();

        clock.advance(Duration.ofSeconds(5));
        http.next().respond(200);
        http.next().respond(200);

        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
        assertThat(transport.nextPublished().answer().status()).isEqualTo(200);
    }

    @Test
    void doesNotOpenTheBreakerForCallsThatSpentTheirTimeOnTheQueue() throws Exception {
        for (int i = 0; i < 10; i++) {
            timeOutAfterWaiting(Duration.ofMillis(5_001));
        }

        assertThat(destination("slow").breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(destination("slow").inFlight()).isZero();
    }

    @Test
    void opensTheBreakerForCallsThatTimeOutAfterAFullAttempt() throws Exception {
        for (int i = 0; i < 2; i++) {
            timeOutAfterWaiting(Duration.ofMillis(5_000));
        }

        assertThat(destination("slow").breaker()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void doesNotOpenTheBreakerForTimeoutsThatCallersSetTooShort() throws Exception {
        timeOutAfter(Duration.ofMillis(999));
        timeOutAfter(Duration.ofMillis(999));
        answerAfter(Duration.ofMillis(50));
        for (int i = 0; i < 10; i++) {
            timeOutAfter(Duration.ofMillis(199));
        }

        assertThat(destination("slow").breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void opensTheBreakerForTimeoutsOfFourTimesTheUsualTime() throws Exception {
        answerAfter(Duration.ofMillis(50));
        timeOutAfter(Duration.ofMillis(200));

        assertThat(destination("slow").breaker()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void opensTheBreakerForTimeoutsOfASecondAtADestinationThatNeverAnswered() throws Exception {
        for (int i = 0; i < 2; i++) {
            timeOutAfter(Duration.ofSeconds(1));
        }

        assertThat(destination("slow").breaker()).isEqualTo(BreakerState.OPEN);
    }

    private void timeOutAfter(Duration timeout) throws Exception {
        offer("slow", ",\"timeoutMs\":" + timeout.toMillis() + ",\"retry\":{\"maxAttempts\":1}");
        http.next().fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
        transport.nextPublished().confirm();
    }

    private void answerAfter(Duration time) throws Exception {
        offer("slow");
        FakeExecutors.FakeAttempt attempt = http.next();
        clock.advance(time);
        attempt.respond(200);
        transport.nextPublished().confirm();
    }

    /** Offers a call with a deadline of ten seconds that has already waited this long when it is read. */
    private void timeOutAfterWaiting(Duration queued) throws Exception {
        String deadline = ",\"deadlineMs\":10000,\"timeoutMs\":60000,\"retry\":{\"maxAttempts\":1}";
        long put = clock.wallMillis() - queued.toMillis();
        transport.offer(new FakeDelivery("{\"url\":\"http://slow.example/\"" + deadline + "}", put, Map.of()));
        http.next().fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
        transport.nextPublished().confirm();
    }
}
