package io.iocluster.rabbit.sink;

import static io.iocluster.rabbit.client.RabbitHarness.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.testkit.rabbit.RabbitCluster;
import io.iocluster.testkit.rabbit.RabbitProcess;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the sink on a cluster of three brokers that has lost a member. */
class LeaderlessQueueIT {

    private static final int LEADERLESS = 200;
    private static final int OTHERS = 500;
    private static final Duration CONFIRM_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = CONFIRM_TIMEOUT.multipliedBy(4);
    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitCluster cluster;

    private RabbitHarness harness;
    private Delivery request;

    @BeforeAll
    static void launch() {
        cluster = RabbitCluster.launch(3);
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @BeforeEach
    void startKilledNodes() {
        cluster.nodes().stream().filter(node -> !node.isAlive()).forEach(RabbitProcess::start);
    }

    @AfterEach
    void close() {
        harness.close();
    }

    /** A reply queue without a majority accepts answers and confirms none. The simulation shows the same with more answers, and for longer. */
    @Test
    void confirmsTheAnswersToOtherQueuesAndAllWhenTheQueueIsBack() {
        RabbitProcess lost = cluster.nodes().get(2);
        RabbitProcess first = cluster.nodes().get(0);
        harness = new RabbitHarness(
                        first,
                        RabbitHarness.fresh(first)
                                .confirmTimeout(CONFIRM_TIMEOUT)
                                .settings())
                .start();
        String leaderless = harness.settings.answers().routingKey().replace(".answers", ".reply-leaderless");
        // Two members, so that the loss of one leaves no majority.
        lost.declareQueue(leaderless, Map.of("x-queue-type", "quorum", "x-quorum-initial-group-size", 2));
        assertThat(cluster.leaderOf(leaderless)).isSameAs(lost);
        request = harness.request(PLAIN, "{}");
        // A channel that has never published to the queue would refuse the answers instead.
        assertThat(RabbitHarness.get(publish("before", leaderless))).isEqualTo(PublishResult.CONFIRMED);
        lost.kill();

        List<CompletionStage<PublishResult>> unconfirmed = publishAll(LEADERLESS, "leaderless ", leaderless);
        List<CompletionStage<PublishResult>> others = publishAll(OTHERS, "other ", null);

        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(confirmed(others)).isEqualTo(OTHERS));
        assertThat(confirmed(unconfirmed)).isZero();
        await().atMost(RabbitHarness.TIMEOUT).until(() -> {
            assertThat(RabbitHarness.get(publish("more", null))).isEqualTo(PublishResult.CONFIRMED);
            return harness.sink().isolatedQueues() == 1;
        });

        lost.start();

        await().atMost(TIMEOUT).until(() -> RabbitHarness.get(publish("back", leaderless)) == PublishResult.CONFIRMED);
        await().atMost(TIMEOUT)
                .until(() -> unconfirmed.stream()
                        .allMatch(each -> each.toCompletableFuture().isDone()));
    }

    @Test
    void failsOverToAnotherMemberWithoutLoss() {
        RabbitProcess leader = cluster.nodes().get(0);
        RabbitProcess other = cluster.nodes().get(1);
        RabbitSettings settings = RabbitHarness.fresh(leader)
                .uris(cluster.uris().toArray(String[]::new))
                .settings();
        harness = new RabbitHarness(leader, settings);
        harness.publish(200);
        harness.intake.onAccept = this::answer;
        harness.intake.limit = 50;
        harness.start();
        harness.awaitDeliveries(50);

        leader.kill();
        harness.intake.limit = Integer.MAX_VALUE;
        harness.source().capacityAvailable();

        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> other.peek(settings.answers().routingKey()).stream()
                                .map(answer -> RabbitHarness.text(answer.getBody()))
                                .distinct()
                                .count()
                        == 200);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> other.readyMessages(settings.requests().queue()) == 0);
    }

    private void answer(Delivery delivery) {
        harness.sink().publish(delivery, delivery.payload(), null).whenComplete((result, bug) -> {
            if (result == PublishResult.CONFIRMED) {
                delivery.settlement().acknowledge();
            } else {
                delivery.settlement().release();
            }
        });
    }

    private List<CompletionStage<PublishResult>> publishAll(int count, String prefix, String replyTo) {
        return IntStream.range(0, count)
                .mapToObj(i -> publish(prefix + i, replyTo))
                .toList();
    }

    private CompletionStage<PublishResult> publish(String answer, String replyTo) {
        return harness.sink().publish(request, bytes(answer), replyTo);
    }

    private static long confirmed(List<CompletionStage<PublishResult>> results) {
        return results.stream()
                .filter(each -> each.toCompletableFuture().getNow(null) == PublishResult.CONFIRMED)
                .count();
    }
}
