package io.iocluster.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of the contract suite: new queues for each test, nodes that read them, and waits. Confined to the test's thread.
 */
public abstract class ContractTestBase {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration QUIET = Duration.ofMillis(500);

    private final List<ContractNode> nodes = new ArrayList<>();
    TransportFixture fixture;

    /** Returns a fixture with new queues. */
    public abstract TransportFixture newFixture();

    @BeforeEach
    void openFixture() {
        fixture = newFixture();
    }

    @AfterEach
    void closeAll() {
        nodes.forEach(ContractNode::close);
        fixture.close();
    }

    ContractNode node() {
        return node(fixture.newTransport());
    }

    ContractNode node(Transport transport) {
        ContractNode node = new ContractNode(transport);
        nodes.add(node);
        return node;
    }

    List<String> send(String prefix, int count) {
        List<String> payloads =
                IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toList();
        payloads.forEach(payload -> fixture.send(utf8(payload), payload, Map.of()));
        return payloads;
    }

    static PublishResult publish(ContractNode node, Delivery request, byte[] answer, String replyTo) {
        return join(node.transport().sink().publish(request, answer, replyTo));
    }

    static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(1, TimeUnit.MINUTES).join();
    }

    static java.util.Set<PauseReason> pauseReasons(ContractNode node) {
        return node.transport().source().status().pauseReasons();
    }

    static void awaitReceived(ContractNode node, int count) {
        awaitLong().untilAsserted(() -> assertThat(node.received()).hasSizeGreaterThanOrEqualTo(count));
    }

    static void awaitPayloads(ContractNode node, List<String> expected) {
        awaitLong().untilAsserted(() -> assertThat(node.payloads()).containsExactlyInAnyOrderElementsOf(expected));
    }

    /** Asserts that no further delivery arrives. Half a second is enough, because an idle source redelivers at once. */
    static void assertStaysAt(ContractNode node, int count) {
        await().during(QUIET).atMost(TIMEOUT).until(() -> node.received().size() == count);
    }

    static ConditionFactory awaitLong() {
        return await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(20));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
