package io.iocluster.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.SentStatus;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The part of the contract suite about delayed retries. */
abstract class DelayedRetryContract extends ContractTestBase {

    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final String[] DELAYED_RETRY_HEADERS = DelayedRetry.HEADER_NAMES.toArray(new String[0]);

    @Test
    void delayedRequestIsRedeliveredUnchangedAfterItsDelay() {
        ContractNode node = delayingNode().start();
        fixture.send(utf8("ask"), "order-9", Map.of("tenant", "green"));
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);
        DelayedRetry state = delayedRetry(request);
        long before = System.nanoTime();

        PublishResult result = join(node.transport().sink().publishDelayedRetry(request, DELAY, state));
        request.settlement().acknowledge();

        assertThat(result).isEqualTo(PublishResult.CONFIRMED);
        awaitReceived(node, 2);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(DELAY.minusMillis(1));
        Delivery redelivered = node.received().get(1);
        assertThat(redelivered.payload()).isEqualTo(utf8("ask"));
        assertThat(redelivered.header("tenant")).isEqualTo("green");
        assertThat(redelivered.correlationId()).isEqualTo(request.correlationId());
        assertThat(redelivered.timeToLiveMillis()).isNegative();
        assertThat(DelayedRetry.fromHeaders(redelivered)).isEqualTo(state);
        assertThat(publish(node, redelivered, utf8("answer"), null)).isEqualTo(PublishResult.CONFIRMED);
        redelivered.settlement().acknowledge();
        awaitLong().until(() -> fixture.answers().size() == 1);
        BrokerMessage answer = fixture.answers().get(0);
        assertThat(answer.correlationId()).isEqualTo("order-9");
        assertThat(answer.headers()).containsEntry("tenant", "green").doesNotContainKeys(DELAYED_RETRY_HEADERS);
        assertStaysAt(node, 2);
    }

    @Test
    void requestDelayedTwiceCarriesTheLastStateAndItsDeadLetterNone() {
        ContractNode node = delayingNode().start();
        fixture.send(utf8("ask"), "order-10", Map.of());
        awaitReceived(node, 1);
        DelayedRetry first = delayedRetry(node.received().get(0));
        DelayedRetry second =
                new DelayedRetry(first.originCoordinates(), 3, SentStatus.MAYBE, null, first.deadline(), first.dueAt());

        delayAndAcknowledge(node, 0, first);
        delayAndAcknowledge(node, 1, second);

        awaitReceived(node, 3);
        Delivery redelivered = node.received().get(2);
        assertThat(DelayedRetry.fromHeaders(redelivered)).isEqualTo(second);
        join(node.transport().sink().publishDeadLetter(redelivered, new DeadLetterReason("internal", "given up")));
        redelivered.settlement().acknowledge();
        awaitLong().until(() -> fixture.deadLetters().size() == 1);
        assertThat(fixture.deadLetters().get(0).headers()).doesNotContainKeys(DELAYED_RETRY_HEADERS);
    }

    @Test
    void delayedRequestsOutliveTheNodeThatDelayedThem() {
        ContractNode first = delayingNode().start();
        List<String> sent = send("m", 8);
        awaitPayloads(first, sent);
        for (int i = 0; i < 8; i++) {
            delayAndAcknowledge(first, i, delayedRetry(first.received().get(i)));
        }
        first.close();

        ContractNode second = delayingNode().acknowledgingAll().start();

        awaitPayloads(second, sent);
        assertStaysAt(second, 8);
    }

    @Test
    void ignoresAndRemovesReservedHeadersOfProducers() {
        ContractNode node = delayingNode().start();
        Instant now = Instant.now();
        DelayedRetry forged = new DelayedRetry("elsewhere/0/1", 2, SentStatus.MAYBE, now, now, now.plusSeconds(60));
        Map<String, String> headers = new HashMap<>(Map.of("iocluster-error", "forged", "tenant", "blue"));
        forged.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        fixture.send(utf8("ask"), "order-11", headers);
        awaitReceived(node, 1);
        Delivery request = node.received().get(0);

        assertThat(DelayedRetry.fromHeaders(request)).isNull();
        publish(node, request, utf8("answer"), null);
        join(node.transport().sink().publishDeadLetter(request, new DeadLetterReason("internal", "given up")));
        request.settlement().acknowledge();

        awaitLong()
                .until(() ->
                        fixture.answers().size() == 1 && fixture.deadLetters().size() == 1);
        assertThat(fixture.answers().get(0).headers())
                .containsEntry("tenant", "blue")
                .allSatisfy((name, value) -> assertThat(name).doesNotStartWith("iocluster-"));
        assertThat(fixture.deadLetters().get(0).headers())
                .containsEntry("tenant", "blue")
                .containsEntry("iocluster-error", "given up")
                .doesNotContainKeys(DELAYED_RETRY_HEADERS);
    }

    private static void delayAndAcknowledge(ContractNode node, int index, DelayedRetry state) {
        awaitReceived(node, index + 1);
        Delivery request = node.received().get(index);
        assertThat(join(node.transport().sink().publishDelayedRetry(request, DELAY, state)))
                .isEqualTo(PublishResult.CONFIRMED);
        request.settlement().acknowledge();
    }

    private static DelayedRetry delayedRetry(Delivery request) {
        Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
        return new DelayedRetry(request.coordinates(), 2, SentStatus.NO, now, now.plusSeconds(60), now.plus(DELAY));
    }

    private ContractNode delayingNode() {
        return node(fixture.newTransport(DELAY));
    }
}
