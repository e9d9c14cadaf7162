package io.iocluster.testkit.rabbit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitClusterIT {

    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static RabbitCluster cluster;

    @BeforeAll
    static void launch() {
        cluster = RabbitCluster.launch(3);
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @AfterEach
    void restartKilledNodes() {
        cluster.nodes().stream().filter(node -> !node.isAlive()).forEach(RabbitProcess::start);
    }

    @Test
    void keepsConfirmedMessagesWhenTheLeaderIsKilledUnderLoad() throws Exception {
        RabbitProcess leader = cluster.nodes().get(0);
        RabbitProcess survivor = cluster.nodes().get(1);
        leader.declareQueue("orders", QUORUM);
        assertThat(cluster.leaderOf("orders")).isSameAs(leader);

        NavigableSet<Long> open = new ConcurrentSkipListSet<>(
                LongStream.rangeClosed(1, 4_000).boxed().toList());
        Set<Long> confirmed = ConcurrentHashMap.newKeySet();
        try (Connection client = connect(survivor);
                Channel channel = client.createChannel()) {
            channel.confirmSelect();
            channel.addConfirmListener(
                    (tag, multiple) -> confirmed.addAll(settle(open, tag, multiple)),
                    (tag, multiple) -> settle(open, tag, multiple));
            publish(channel, 2_000);
            leader.kill();
            publish(channel, 2_000);
            await().atMost(TIMEOUT).until(open::isEmpty);
        }

        assertThat(leader.isAlive()).isFalse();
        assertThat(confirmed).hasSizeGreaterThan(2_000);
        assertThat(cluster.leaderOf("orders")).isNotSameAs(leader);
        assertThat(MessageTexts.of(survivor.peek("orders")))
                .containsAll(confirmed.stream().map(String::valueOf).toList());
    }

    @Test
    void aKilledNodeRejoinsTheCluster() {
        RabbitProcess node = cluster.nodes().get(2);
        node.declareQueue("returned", QUORUM);
        node.kill();
        await().atMost(TIMEOUT).until(() -> cluster.leaderOf("returned") != node);
        cluster.nodes().get(0).publish("returned", MessageTexts.bytes("while stopped"));

        node.start();

        await().atMost(TIMEOUT).until(() -> online(node, "returned") == 3);
        assertThat(MessageTexts.of(node.consume("returned"))).containsExactly("while stopped");
    }

    /** Publishes messages whose bodies are their sequence numbers in the channel. */
    private static void publish(Channel channel, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            byte[] number = Long.toString(channel.getNextPublishSeqNo()).getBytes(UTF_8);
            channel.basicPublish("", "orders", MessageProperties.PERSISTENT_BASIC, number);
        }
    }

    private static List<Long> settle(NavigableSet<Long> open, long tag, boolean multiple) {
        List<Long> settled = multiple ? List.copyOf(open.headSet(tag, true)) : List.of(tag);
        settled.forEach(open::remove);
        return settled;
    }

    private static long online(RabbitProcess node, String queue) {
        return Long.parseLong(node.eval("case " + RabbitQueues.lookup(queue)
                + " of {ok, Q} -> [{_, Nodes}] = rabbit_amqqueue:info(Q, [online]), length([N || N <- Nodes]);"
                + " _ -> 0 end"));
    }

    private static Connection connect(RabbitProcess node) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(node.uri());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("publisher");
    }
}
