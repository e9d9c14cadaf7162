package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.testkit.memory.FakeDelivery;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the timeout and headers of attempts, and whether they are retried. */
class PipelineAttemptsTest extends PipelineFixture {

    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void doesNotTryACallWhoseMessageOutlivedItsTimeToLive() throws Exception {
        transport.offer(new FakeDelivery(GET, clock.wallMillis() - 1_001, Map.of(), 1_000));

        Answer answer = transport.nextPublished().answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.EXPIRED);
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void usesTheShorterOfTheTimeToLiveAndTheDefaultDeadline() throws Exception {
        transport.offer(new FakeDelivery(GET, clock.wallMillis() - 100, Map.of(), 800));

        assertThat(http.next().timeout()).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void doesNotExpireACallWithoutADeadlineBecauseOfLag() throws Exception {
        transport.offer(new FakeDelivery(GET, clock.wallMillis() - 3_600_000, Map.of()));

        assertThat(http.next().timeout()).isEqualTo(HttpSettings.DEFAULTS.timeout());
    }

    @Test
    void retriesACallThatWasCertainlyNotSent() throws Exception {
        offer("{\"url\":\"http://partner.example/\",\"method\":\"POST\"}");

        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        http.next().respond(201);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.attempts()).isEqualTo(2);
    }

    @Test
    void aRetryThatWasNotSentDoesNotHideThatAnEarlierAttemptMayHaveBeen() throws Exception {
        offer(GET);

        http.next().fail(ErrorCode.CONNECTION_CLOSED, SentStatus.MAYBE);
        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.error().code()).isEqualTo("connect-refused");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(answer.attempts()).isEqualTo(3);
    }

    @Test
    void aRetryThatWasNotSentDoesNotHideThatTheTargetHasAnsweredBefore() throws Exception {
        offer("{\"url\":\"http://partner.example/\",\"deadlineMs\":1000}");

        http.next().respond(503);
        http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        FakeAttempt last = http.next();
        clock.advance(Duration.ofSeconds(1));
        last.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);

        Answer answer = transport.nextPublished().answer();
        assertThat(answer.error().code()).isEqualTo("deadline-exceeded");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
    }

    @Test
    void aCallThatNoAttemptSentWasCertainlyNotSent() throws Exception {
        offer(GET);

        for (int i = 0; i < 3; i++) {
            http.next().fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        }

        assertThat(transport.nextPublished().answer().error().sent()).isEqualTo(SentStatus.NO);
    }

    @Test
    void forwardsTheTraceparentAndTheIdempotencyKey() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"idempotencyKey\":\"k\"}",
                -1,
                Map.of("traceparent", TRACEPARENT)));

        assertThat(http.next().request().headers())
                .extracting("name", "value")
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("traceparent", TRACEPARENT),
                        org.assertj.core.groups.Tuple.tuple("Idempotency-Key", "k"));
    }

    @Test
    void forwardsTheTracestateWithTheTraceparent() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\"}", -1, Map.of("traceparent", TRACEPARENT, "tracestate", "a=1")));

        assertThat(http.next().request().headers())
                .containsExactly(new Header("traceparent", TRACEPARENT), new Header("tracestate", "a=1"));
    }

    @Test
    void keepsATraceparentThatTheEnvelopeNames() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"headers\":{\"Traceparent\":\"00-own\"}}",
                -1,
                Map.of("traceparent", TRACEPARENT, "tracestate", "a=1")));

        assertThat(http.next().request().headers()).containsExactly(new Header("Traceparent", "00-own"));
    }

    @Test
    void sendsHeadersInAFormThatHttp1AndHttp2Share() throws Exception {
        transport.offer(new FakeDelivery(
                "{\"url\":\"http://partner.example/\",\"headers\":{\"X-Tag\":\" a \",\"Cookie\":[\"a=1\",\"b=2\"]},"
                        + "\"idempotencyKey\":\"k \"}",
                -1,
                Map.of()));

        assertThat(http.next().request().headers())
                .containsExactly(
                        new Header("X-Tag", "a"), new Header("Cookie", "a=1; b=2"), new Header("Idempotency-Key", "k"));
    }
}
