package io.iocluster.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The contract suite of transports. The tests of a transport extend this class and provide the fixture. */
public abstract class TransportContract extends DelayedRetryContract {

    @Test
    void deliversEachMessageOnce() {
        List<String> sent = send("m", 20);
        ContractNode node = node().acknowledgingAll().start();

        awaitPayloads(node, sent);
        assertStaysAt(node, 20);
    }

    @Test
    void deliversOnOneThread() {
        ContractNode node = node().acknowledgingAll().start();
        List<String> sent = send("m", 12);

        awaitPayloads(node, sent);
        assertThat(node.threads()).hasSize(1);
    }

    @Test
    void deliversPayloadHeadersCoordinatesAndTimestamp() {
        long before = System.currentTimeMillis();
        fixture.send(utf8("payload"), "k-1", Map.of("x-trace", "täg"));
        fixture.send(new byte[0], "k-2", Map.of());
        ContractNode node = node().acknowledgingAll().start();

        awaitReceived(node, 2);
        Delivery full = node.received().stream()
                .filter(delivery -> delivery.payload().length > 0)
                .findFirst()
                .orElseThrow();
        assertThat(full.payload()).isEqualTo(utf8("payload"));
        assertThat(full.header("x-trace")).isEqualTo("täg");
        assertThat(full.header("x-absent")).isNull();
        if (full.timestampMillis() >= 0) {
            assertThat(full.timestampMillis()).isBetween(before - 2_000, System.currentTimeMillis() + 2_000);
        }
        assertThat(node.received()).extracting(Delivery::coordinates).doesNotHaveDuplicates();
    }

    @Test
    void redeliversReleasedMessages() {
        send("m", 1);
        ContractNode node = node().start();
        awaitReceived(node, 1);

        node.received().get(0).settlement().release();

        awaitReceived(node, 2);
        assertThat(node.payloads()).containsExactly("m-0", "m-0");
        assertThat(node.received().get(1).coordinates())
                .isEqualTo(node.received().get(0).coordinates());
        assertThat(node.received()).extracting(Delivery::isRedelivered).containsExactly(false, true);
        node.received().get(1).settlement().acknowledge();
        assertStaysAt(node, 2);
    }

    @Test
    void redeliversUnsettledMessagesAfterARestart() {
        List<String> sent = send("m", 10);
        ContractNode first = node().start();
        awaitPayloads(first, sent);
        List<Delivery> received = first.received();
        List<String> unsettled = new ArrayList<>(first.payloads());
        unsettled.remove(4);
        received.get(4).settlement().acknowledge();
        first.close();

        ContractNode second = node().acknowledgingAll().start();

        awaitPayloads(second, unsettled);
        assertStaysAt(second, 9);
    }

    @Test
    void doesNotRedeliverMessagesAcknowledgedBeforeClose() {
        List<String> sent = send("m", 20);
        ContractNode first = node().start();
        awaitPayloads(first, sent);
        List<Delivery> shuffled = new ArrayList<>(first.received());
        Collections.shuffle(shuffled, new Random(7));
        shuffled.forEach(delivery -> delivery.settlement().acknowledge());
        first.close();

        ContractNode second = node().acknowledgingAll().start();
        fixture.send(utf8("next"), "k", Map.of());

        awaitReceived(second, 1);
        assertStaysAt(second, 1);
        assertThat(second.payloads()).containsExactly("next");
    }

    @Test
    void offersAgainWhenCapacityIsAvailable() {
        List<String> sent = send("m", 20);
        ContractNode node = node().withCapacity(3).acknowledgingAll().start();
        awaitLong().until(() -> node.rejectedOffers() > 0);
        awaitLong().until(() -> pauseReasons(node).contains(PauseReason.BACKPRESSURE));
        assertThat(node.received()).hasSize(3);

        node.removeLimit();

        awaitPayloads(node, sent);
        awaitLong().until(() -> !pauseReasons(node).contains(PauseReason.BACKPRESSURE));
        assertStaysAt(node, 20);
    }

    @Test
    void secondSettlementIsCountedAndHarmless() {
        send("m", 1);
        ContractNode first = node().start();
        awaitReceived(first, 1);
        Delivery delivery = first.received().get(0);

        delivery.settlement().acknowledge();
        delivery.settlement().acknowledge();
        delivery.settlement().release();

        awaitLong().until(() -> first.transport().source().status().duplicateSettlements() == 2);
        assertStaysAt(first, 1);
        first.close();
        ContractNode second = node().acknowledgingAll().start();
        fixture.send(utf8("next"), "k", Map.of());
        awaitReceived(second, 1);
        assertThat(second.payloads()).containsExactly("next");
    }

    @Test
    void publishedAnswersCarryKeyOrCorrelationAndHeaders() {
        fixture.send(utf8("ask"), "order-7", Map.of("tenant", "blue"));
        ContractNode node = node().start();
        awaitReceived(node, 1);

        PublishResult result = publish(node, node.received().get(0), utf8("answer"), null);

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        awaitLong().until(() -> fixture.answers().size() == 1);
        BrokerMessage answer = fixture.answers().get(0);
        assertThat(answer.text()).isEqualTo("answer");
        assertThat(answer.correlationId()).isEqualTo("order-7");
        assertThat(answer.headers()).containsEntry("tenant", "blue");
    }

    @Test
    void answersCarryTheGivenTraceContext() {
        fixture.send(utf8("a"), "k-1", Map.of("traceparent", "00-asked", "tracestate", "a=1", "x-tenant", "blue"));
        ContractNode node = node().start();
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);

        TraceContext trace = new TraceContext("00-answered", null);
        assertThat(join(node.transport().sink().publish(request, utf8("traced"), null, trace)))
                .isEqualTo(PublishResult.CONFIRMED);

        awaitLong().until(() -> fixture.answers().size() == 1);
        assertThat(fixture.answers().get(0).headers())
                .containsEntry("traceparent", "00-answered")
                .containsEntry("x-tenant", "blue")
                .doesNotContainKey("tracestate");
        request.settlement().acknowledge();
    }

    @Test
    void deadLettersKeepBytesHeadersAndAddReasons() {
        byte[] noText = {(byte) 0xff, 0, (byte) 0xc3, '{', 7};
        fixture.send(noText, "order-8", Map.of("tenant", "red"));
        ContractNode node = node().start();
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);

        PublishResult result = join(node.transport()
                .sink()
                .publishDeadLetter(request, new DeadLetterReason("malformed-envelope", "no JSON: ÿ")));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        awaitLong().until(() -> fixture.deadLetters().size() == 1);
        BrokerMessage letter = fixture.deadLetters().get(0);
        assertThat(letter.payload()).isEqualTo(noText);
        assertThat(letter.correlationId()).isEqualTo("order-8");
        assertThat(letter.headers())
                .containsEntry("tenant", "red")
                .containsEntry("iocluster-error-code", "malformed-envelope")
                .containsEntry("iocluster-error", "no JSON: ÿ")
                .containsEntry("iocluster-source", request.coordinates())
                .containsKeys("iocluster-node", "iocluster-failed-at");
    }

    @Test
    void tooLargeAnswerIsAResult() {
        assumeTrue(fixture.oversizedAnswerBytes() > 0, "the broker has no size limit");
        send("m", 1);
        ContractNode node = node().start();
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);

        PublishResult large = publish(node, request, new byte[fixture.oversizedAnswerBytes()], null);
        PublishResult small = publish(node, request, utf8("small"), null);

        assertThat(large).isInstanceOf(PublishResult.TooLarge.class);
        assertThat(small).isEqualTo(PublishResult.CONFIRMED);
    }

    @Test
    void publishesToAllowedReplyToOnly() {
        send("m", 1);
        ContractNode node = node().start();
        awaitReceived(node, 1);

        Delivery request = node.received().get(0);
        assertThat(node.transport().sink().isReplyToAllowed(request, fixture.allowedReplyTo()))
                .isTrue();
        assertThat(node.transport().sink().isReplyToAllowed(request, fixture.forbiddenReplyTo()))
                .isFalse();
        PublishResult result = publish(node, request, utf8("elsewhere"), fixture.allowedReplyTo());

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        awaitLong().until(() -> fixture.answersIn(fixture.allowedReplyTo()).size() == 1);
        assertThat(fixture.answers()).isEmpty();
    }

    @Test
    void missingReplyToIsReportedAndBlocksNoOtherAnswer() {
        send("m", 1);
        ContractNode node = node().start();
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);
        String missing = fixture.missingReplyTo();
        ResponseSink sink = node.transport().sink();
        assertThat(sink.isReplyToAllowed(request, missing)).isTrue();

        CompletionStage<PublishResult> nowhere = sink.publish(request, utf8("nowhere"), missing);
        CompletionStage<PublishResult> good = sink.publish(request, utf8("good"), null);

        assertThat(join(good)).isEqualTo(PublishResult.CONFIRMED);
        assertThat(join(nowhere)).isInstanceOf(PublishResult.UnknownTopicOrQueue.class);
        awaitLong().until(() -> sink.isKnownMissing(missing));
        assertThat(sink.isKnownMissing(fixture.allowedReplyTo())).isFalse();
        assertThat(sink.isReachable()).isTrue();
    }

    @Test
    void deadLetterCanContainTheAnswer() {
        fixture.send(utf8("ask"), "order-11", Map.of("tenant", "blue"));
        ContractNode node = node().start();
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);

        PublishResult result = join(node.transport()
                .sink()
                .publishAnswerAsDeadLetter(
                        request, utf8("answer"), new DeadLetterReason("answer-not-published", "no such queue")));

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        awaitLong().until(() -> fixture.deadLetters().size() == 1);
        BrokerMessage letter = fixture.deadLetters().get(0);
        assertThat(letter.text()).isEqualTo("answer");
        assertThat(letter.correlationId()).isEqualTo("order-11");
        assertThat(letter.headers())
                .containsEntry("tenant", "blue")
                .containsEntry("iocluster-content", "answer")
                .containsEntry("iocluster-error-code", "answer-not-published")
                .containsEntry("iocluster-source", request.coordinates());
    }

    @Test
    void pauseStopsDelivery() {
        ContractNode node = node().acknowledgingAll().start();
        fixture.send(utf8("before"), "k", Map.of());
        awaitReceived(node, 1);

        node.transport().source().pause();
        awaitLong().until(() -> pauseReasons(node).contains(PauseReason.OPERATOR));
        List<String> sent = send("m", 10);
        assertStaysAt(node, 1);
        node.transport().source().resume();

        List<String> all = new ArrayList<>(sent);
        all.add("before");
        awaitPayloads(node, all);
    }

    @Test
    void stopIntakeThenCloseLosesNothing() {
        List<String> sent = send("m", 12);
        ContractNode first = node().withCapacity(5).start();
        awaitReceived(first, 5);

        join(first.transport().source().stopIntake());
        first.removeLimit();
        assertStaysAt(first, 5);
        List<String> settled = first.payloads();
        first.received().forEach(delivery -> delivery.settlement().acknowledge());
        first.close();

        List<String> rest = new ArrayList<>(sent);
        rest.removeAll(settled);
        ContractNode second = node().acknowledgingAll().start();
        awaitPayloads(second, rest);
        assertStaysAt(second, 7);
    }

    @Test
    void publishAfterCloseIsAResult() {
        send("m", 1);
        ContractNode node = node().start();
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);
        node.close();

        assertThat(publish(node, request, utf8("late"), null)).isInstanceOf(PublishResult.Failed.class);
    }

    @Test
    void survivesABrokerRestart() {
        assumeTrue(fixture.canStopBroker(), "the fixture cannot stop the broker");
        fixture.send(utf8("before"), "k", Map.of());
        ContractNode node = node().acknowledgingAll().start();
        awaitReceived(node, 1);

        fixture.killBroker();
        awaitLong().until(() -> !node.transport().source().status().connected());
        assertThat(node.transport().source().status().problem()).isNotBlank();
        fixture.restartBroker();
        fixture.send(utf8("after"), "k", Map.of());

        awaitLong().until(() -> node.payloads().contains("after"));
        awaitLong().until(() -> node.transport().source().status().connected());
        Delivery after = node.received().get(node.payloads().indexOf("after"));
        assertThat(publish(node, after, utf8("answer"), null)).isEqualTo(PublishResult.CONFIRMED);
    }
}
