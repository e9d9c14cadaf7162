package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a message is answered, dead-lettered and settled. */
class PipelineTest extends PipelineFixture {

    @Test
    void acknowledgesOnlyAfterTheAnswerIsConfirmed() throws Exception {
        FakeDelivery delivery = offer(GET);

        http.next().respond(200);
        PublishedMessage published = transport.nextPublished();

        assertThat(delivery.settled).isNotDone();
        assertThat(pipeline.status().inFlight()).isZero();
        assertThat(pipeline.status().unconfirmed()).isEqualTo(1);
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        await().until(() -> pipeline.status().unconfirmed() == 0);
        assertThat(pipeline.status().inFlightBytes()).isZero();
        Answer answer = published.answer();
        assertThat(answer.id()).isEqualTo("i");
        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.node()).isEqualTo("node-1");
        assertThat(answer.context()).isEqualTo("{\"a\":1}");
    }

    @Test
    void releasesTheMessageAfterAPauseWhenPublishingItsDeadLetterThrows() throws Exception {
        FakeDelivery delivery = offer("no envelope");

        transport.nextPublished().result().completeExceptionally(new IllegalStateException("defect"));
        clock.advance(Duration.ofSeconds(1));

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        await().until(() -> pipeline.status().unconfirmed() == 0);
    }

    @Test
    void deadLettersAnUnreadableEnvelopeAndAcknowledgesOnlyAfterItIsConfirmed() throws Exception {
        FakeDelivery delivery = offer("no envelope");

        PublishedMessage published = transport.nextPublished();

        assertThat(published.deadLetterCode()).isEqualTo("malformed-envelope");
        assertThat(delivery.settled).isNotDone();
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void deadLettersAMessageThatTheTransportCouldNotReadCompletely() throws Exception {
        FakeDelivery delivery = new TooLargeDelivery();
        transport.offer(delivery);

        PublishedMessage published = transport.nextPublished();

        assertThat(published.deadLetterCode()).isEqualTo("malformed-envelope");
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void deadLettersAMessageThatWasDeliveredTooOftenWithoutACall() throws Exception {
        FakeDelivery delivery = new DeliveredTooOften();
        transport.offer(delivery);

        PublishedMessage published = transport.nextPublished();

        assertThat(published.deadLetterCode()).isEqualTo("delivery-limit");
        assertThat(http.attempts).isEmpty();
        published.confirm();
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void makesNoCallForAMessageThatAnotherNodeHas() throws Exception {
        FakeDelivery delivery = givenToAnotherNode(GET);
        transport.offer(delivery);

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        await().until(() -> pipeline.status().inFlight() == 0);
        assertThat(http.attempts).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no envelope", "{\"url\":\"ftp://a.example/\"}"})
    void publishesNothingForAMessageThatAnotherNodeHas(String message) throws Exception {
        FakeDelivery delivery = givenToAnotherNode(message);
        transport.offer(delivery);

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        assertThat(transport.published).isEmpty();
    }

    private static FakeDelivery givenToAnotherNode(String message) {
        return new FakeDelivery(message) {
            @Override
            public boolean claim() {
                return false;
            }
        };
    }

    @Test
    void releasesTheMessageAfterAPauseWhenItsDeadLetterIsNotConfirmed() throws Exception {
        FakeDelivery delivery = offer("no envelope");

        transport.nextPublished().result().complete(new PublishResult.TooLarge("even for a dead letter"));
        clock.advance(Duration.ofSeconds(1));

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
    }

    @Test
    void rejectsForbiddenEnvelopesWithoutACall() throws Exception {
        for (var row : Map.of(
                        "{\"url\":\"http://127.0.0.1/\"}", "address-not-allowed",
                        "{\"url\":\"ftp://partner.example/\"}", "scheme-not-allowed",
                        "{\"url\":\"http://partner.example/\",\"method\":\"get\"}", "invalid-method",
                        "{\"url\":\"http://partner.example/\",\"headers\":{\"Host\":\"x\"}}", "forbidden-header",
                        "{\"url\":\"http://partner.example/\",\"typo\":1}", "unknown-field",
                        "{\"url\":\"http://partner.example/\",\"timeoutMs\":0}", "invalid-timeout",
                        "{\"url\":\"http://partner.example/\",\"auth\":\"a\"}", "unknown-credential",
                        "{\"url\":\"http://partner.example/\",\"replyTo\":\"x\"}", "reply-to-not-allowed",
                        "{\"url\":\"http://partner.example/\",\"method\":\"POST\",\"body\":\"12345678901\"}",
                                "request-too-large")
                .entrySet()) {
            FakeDelivery delivery = offer(row.getKey());

            PublishedMessage published = transport.nextPublished();
            published.confirm();

            assertThat(published.answer().outcome()).as(row.getKey()).isEqualTo(Outcome.REJECTED);
            assertThat(published.answer().error().code()).as(row.getKey()).isEqualTo(row.getValue());
            assertThat(published.answer().id()).isEqualTo("requests-0@7");
            assertThat(published.answer().attempts()).isZero();
            assertThat(published.replyTo()).isNull();
            assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        }
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void publishesNothingIfTheSenderWantsNoReply() throws Exception {
        FakeDelivery delivery = offer(NEVER);

        http.next().respond(404);

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
        assertThat(transport.published).isEmpty();
    }

    @Test
    void deadLettersAFailureIfTheSenderWantsNoReply() throws Exception {
        FakeDelivery delivery = offer("{\"url\":\"http://partner.example/\",\"method\":\"POST\",\"reply\":\"never\"}");

        http.next().fail(ErrorCode.TLS, SentStatus.MAYBE);
        PublishedMessage published = transport.nextPublished();
        published.confirm();

        assertThat(published.deadLetterCode()).isEqualTo("tls");
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void answersToTheAllowedReplyToOfTheEnvelope() throws Exception {
        offer("{\"url\":\"http://partner.example/\",\"replyTo\":\"allowed\"}");

        http.next().respond(200);

        assertThat(transport.nextPublished().replyTo()).isEqualTo("allowed");
    }

    @Test
    void answersWithAnErrorCodeWhenTheAnswerIsTooLargeAndNeverLoops() throws Exception {
        FakeDelivery delivery = offer(GET);
        http.next().respond(200);
        PublishResult tooLarge = new PublishResult.TooLarge("over 1 MB");

        transport.nextPublished().result().complete(tooLarge);
        PublishedMessage smaller = transport.nextPublished();
        smaller.result().complete(tooLarge);
        PublishedMessage smallest = transport.nextPublished();
        smallest.result().complete(tooLarge);
        PublishedMessage deadLetter = transport.nextPublished();
        deadLetter.confirm();

        assertThat(smaller.answer().outcome()).isEqualTo(Outcome.FAILED);
        assertThat(smaller.answer().error().code()).isEqualTo("answer-too-large");
        assertThat(smaller.answer().context()).isEqualTo("{\"a\":1}");
        assertThat(smallest.answer().context()).isNull();
        assertThat(deadLetter.deadLetterCode()).isEqualTo("answer-too-large");
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    private static final class TooLargeDelivery extends FakeDelivery {

        TooLargeDelivery() {
            super("");
        }

        @Override
        public String problem() {
            return "the message has 17 MiB";
        }
    }

    private static final class DeliveredTooOften extends FakeDelivery {

        DeliveredTooOften() {
            super(GET);
        }

        @Override
        public boolean isDeliveryLimitReached() {
            return true;
        }

        @Override
        public String problem() {
            return "the message was delivered 4 times without an answer";
        }
    }
}
