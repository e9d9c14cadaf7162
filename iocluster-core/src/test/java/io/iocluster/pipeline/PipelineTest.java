package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Outcome;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a message is answered, dead-lettered and settled. */
class PipelineTest extends PipelineFixture {

    static List<Consumer<CompletableFuture<PublishResult>>> failedPublishes() {
        return List.of(
                result -> result.completeExceptionally(new IllegalStateException("defect")),
                result -> result.complete(new PublishResult.TooLarge("even for a dead letter")));
    }

    @ParameterizedTest
    @MethodSource("failedPublishes")
    void releasesTheMessageAfterAPauseWhenItsDeadLetterIsNotConfirmed(
            Consumer<CompletableFuture<PublishResult>> failure) throws Exception {
        FakeDelivery delivery = offer("no envelope");
        failure.accept(transport.nextPublished().result());

        clock.advance(Duration.ofSeconds(1));

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        await().until(() -> pipeline.status().unconfirmed() == 0);
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

    @ParameterizedTest
    @ValueSource(strings = {"no envelope", "{\"url\":\"ftp://a.example/\"}", GET})
    void doesNothingForAMessageThatAnotherNodeHas(String message) throws Exception {
        FakeDelivery delivery = new FakeDelivery(message) {
            @Override
            public boolean claim() {
                return false;
            }
        };
        transport.offer(delivery);

        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("released");
        await().until(() -> pipeline.status().inFlight() == 0);
        assertThat(transport.published).isEmpty();
        assertThat(http.attempts).isEmpty();
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
    void answersWithAnErrorCodeWhenTheAnswerIsTooLargeAndNeverLoops() throws Exception {
        FakeDelivery delivery = offer(GET);
        http.next().respond(200);
        PublishResult tooLarge = new PublishResult.TooLarge("over 1 MB");

        transport.nextPublished().result().complete(tooLarge);
        PublishedMessage withoutBody = transport.nextPublished();
        withoutBody.result().complete(tooLarge);
        PublishedMessage smaller = transport.nextPublished();
        smaller.result().complete(tooLarge);
        PublishedMessage smallest = transport.nextPublished();
        smallest.result().complete(tooLarge);
        PublishedMessage deadLetter = transport.nextPublished();
        deadLetter.confirm();

        assertThat(withoutBody.answer().status()).isEqualTo(200);
        assertThat(withoutBody.answer().body()).isEmpty();
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
