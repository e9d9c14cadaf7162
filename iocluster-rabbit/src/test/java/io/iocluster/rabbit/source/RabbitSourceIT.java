package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.DeliveryLimitCheck;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RabbitSourceIT {

    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitBroker broker;

    private final List<RabbitHarness> harnesses = new ArrayList<>();

    @BeforeAll
    static void startBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @AfterEach
    void closeHarnesses() {
        harnesses.forEach(RabbitHarness::close);
    }

    @Test
    void neverHoldsMoreThanThePrefetchHintAllows() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings());
        harness.publish(40);
        harness.source().prefetchHint(3, 2);
        harness.start();
        staysAt(harness, 5);

        harness.source().prefetchHint(6, 2);
        staysAt(harness, 8);
        harness.source().prefetchHint(4, 2);
        harness.source().prefetchHint(9, 2);
        staysAt(harness, 11);
        harness.awaitDeliveries(11)
                .subList(0, 5)
                .forEach(delivery -> delivery.settlement().acknowledge());

        staysAt(harness, 16);
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 11);
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void continuesAfterAMessageWithUndecodableHeaders(QueueType type) {
        RabbitHarness harness =
                harness(RabbitHarness.fresh(broker).declare(true, type).settings());
        harness.publish(new BasicProperties.Builder().headers(nested(40)).build(), "nested");
        harness.publish(20);

        harness.start();

        List<Delivery> taken = harness.awaitDeliveries(21);
        assertThat(taken.get(0).problem()).contains("headers cannot be decoded", "nested");
        taken.forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 0);
        assertThat(taken.subList(1, 21)).extracting(Delivery::problem).containsOnlyNulls();
        assertThat(harness.intake.accepted).hasSize(21);
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void staysWithinItsBufferWhenLargeMessagesFollowSmallOnes(QueueType type) {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .declare(true, type)
                .inbound(DataSize.ofMebibytes(1), DataSize.ofMebibytes(16))
                .settings();
        RabbitHarness harness = harness(settings).start();
        harness.intake.onAccept = delivery -> delivery.settlement().acknowledge();
        harness.publish(200);
        harness.awaitDeliveries(200);
        harness.intake.limit = 200;

        List<byte[]> large = IntStream.range(0, 40)
                .mapToObj(i -> RabbitHarness.bytes(i + "-" + "x".repeat(200_000)))
                .toList();
        broker.publish(settings.requests().queue(), large);

        await().atMost(RabbitHarness.TIMEOUT)
                .until(() -> harness.source().status().pauseReasons().contains(PauseReason.BUFFER_FULL));
        await().during(Duration.ofMillis(500))
                .until(() -> harness.source().status().buffered() <= (1 << 20) / 200_000);
        harness.intake.limit = Integer.MAX_VALUE;
        harness.source().capacityAvailable();
        List<Delivery> taken = harness.awaitDeliveries(240).subList(200, 240);
        assertThat(taken)
                .extracting(RecordingIntake::text)
                .containsExactlyInAnyOrderElementsOf(
                        large.stream().map(RabbitHarness::text).toList());
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 0);
        assertThat(harness.intake.accepted).hasSize(240);
    }

    @Test
    void deliversAMessageOverTheLimitWithoutItsBody() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker)
                .inbound(DataSize.ofMebibytes(1), new DataSize(300_000))
                .settings());
        harness.publish(new BasicProperties.Builder().correlationId("c-1").build(), "x".repeat(300_001));
        harness.publish(5);

        harness.start();

        List<Delivery> taken = harness.awaitDeliveries(6);
        assertThat(taken.get(0).problem()).contains("300001 bytes", "SHA-256");
        assertThat(taken.get(0).payload()).isEmpty();
        assertThat(taken.get(0).correlationId()).isEqualTo("c-1");
        assertThat(taken.subList(1, 6)).extracting(Delivery::problem).containsOnlyNulls();
        taken.forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 0);
    }

    private static Map<String, Object> nested(int levels) {
        Map<String, Object> table = Map.of("n", 1);
        for (int level = 1; level < levels; level++) {
            table = Map.of("n", table);
        }
        return table;
    }

    @Test
    void readsMoreThanAQuorumQueueDeliversToOneConsumer() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings());
        harness.source().prefetchHint(100, 100);
        harness.publish(150);
        harness.start();
        harness.awaitDeliveries(150);

        harness.source().prefetchHint(1_300, 1_300);
        harness.publish(2_450);

        harness.awaitDeliveries(2_600).forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 0);
        assertThat(harness.intake.accepted).hasSize(2_600);
    }

    @Test
    void leavesAnOpenDeliveryUnacknowledgedAmongDoneOnes() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings()).start();
        harness.publish(50);
        List<Delivery> taken = harness.awaitDeliveries(50);

        for (int i = 0; i < 50; i++) {
            if (i != 3) {
                taken.get(i).settlement().acknowledge();
            }
        }

        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 1);
        harness.close();
        assertThat(broker.consume(harness.settings.requests().queue()))
                .extracting(message -> RabbitHarness.text(message.getBody()))
                .containsExactly("m-3");
    }

    @Test
    void releasesDoNotCountTowardsTheDeliveryLimit() {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();
        String queue = settings.requests().queue();
        broker.setPolicy(queue, "{\"delivery-limit\":1}");
        RabbitHarness harness = harness(settings).start();
        harness.request(PLAIN, "patient");

        for (int deliveries = 1; deliveries <= 4; deliveries++) {
            harness.awaitDeliveries(deliveries).get(deliveries - 1).settlement().release();
        }

        assertThat(harness.awaitDeliveries(5)).extracting(RecordingIntake::text).containsOnly("patient");
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 1);
        assertThat(broker.readyMessages(settings.deadLetters().queue())).isZero();
        harness.close();
        assertThat(broker.consume(queue)).hasSize(1);
    }

    @Test
    void declaresAndConsumesAgainWhenTheQueueIsDeleted() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings()).start();
        Delivery before = harness.request(PLAIN, "before");

        broker.deleteQueue(harness.settings.requests().queue());
        await().atMost(RabbitHarness.TIMEOUT).ignoreExceptions().until(() -> harness.consumers() == 1);
        before.settlement().acknowledge();

        harness.request(PLAIN, "after");
        assertThat(harness.intake.acceptedPayloads()).containsExactly("before", "after");
    }

    @Test
    void reportsAMissingQueueAndReadsWhenItExists() {
        RabbitSettings settings =
                RabbitHarness.fresh(broker).declare(false, QueueType.QUORUM).settings();
        RabbitHarness harness = harness(settings);
        broker.deleteQueue(settings.answers().routingKey());
        harness.start();
        await().atMost(RabbitHarness.TIMEOUT)
                .until(() -> String.valueOf(harness.source().status().problem()).contains("does not exist"));
        assertThat(harness.source().status().problem())
                .contains("queue " + settings.answers().routingKey());

        harness.declare();

        harness.awaitConnected();
        harness.request(PLAIN, "x");
    }

    @Test
    void redeliversOpenMessagesAfterAReconnectAndIgnoresOldTags() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings()).start();
        harness.publish(20);
        List<Delivery> old = harness.awaitDeliveries(20);
        old.subList(0, 5).forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 15);

        broker.cutConnections();
        List<Delivery> redelivered = harness.awaitDeliveries(35).subList(20, 35);
        old.subList(5, 20).forEach(delivery -> delivery.settlement().acknowledge());
        redelivered.subList(0, 10).forEach(delivery -> delivery.settlement().acknowledge());

        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.unacknowledged() == 5);
        await().during(Duration.ofMillis(500)).until(() -> harness.unacknowledged() == 5);
        assertThat(harness.intake.accepted).hasSize(35);
        await().until(() -> harness.source().status().redelivered() == 15);
        assertThat(harness.source().status().duplicateSettlements()).isZero();
    }

    @Test
    void requeuesItsBufferForOtherNodesWhenItIsPaused() {
        RabbitHarness first = harness(RabbitHarness.fresh(broker).settings());
        first.intake.limit = 1;
        first.start();
        first.publish(10);
        await().atMost(RabbitHarness.TIMEOUT)
                .until(() -> first.source().status().buffered() == 9);
        RabbitHarness second = harness(first.settings).start();
        second.awaitConnected();

        first.source().pause();

        assertThat(second.awaitDeliveries(9)).hasSize(9);
        first.source().resume();
        first.intake.limit = 2;
        second.source().pause();
        second.publish(1);
        first.awaitDeliveries(2);
    }

    @Test
    void offersNothingWhileTheBrokerIsBlocked() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings()).start();
        Delivery request = harness.request(PLAIN, "first");
        harness.publish(3);
        harness.awaitDeliveries(4);
        broker.raiseMemoryAlarm();
        try {
            var answer = harness.sink().publish(request, RabbitHarness.bytes("answer"), null);
            await().atMost(RabbitHarness.TIMEOUT)
                    .until(() -> harness.source().status().pauseReasons().contains(PauseReason.BROKER_BLOCKED));
            assertThat(answer.toCompletableFuture()).isNotDone();
            harness.awaitDeliveries(4).get(1).settlement().release();
            await().during(Duration.ofMillis(800)).until(() -> harness.intake.accepted.size() == 4);

            broker.clearMemoryAlarm();

            assertThat(RabbitHarness.get(answer)).isEqualTo(io.iocluster.transport.PublishResult.CONFIRMED);
            harness.awaitDeliveries(5);
            await().until(() -> harness.source().status().pauseReasons().isEmpty());
        } finally {
            broker.clearMemoryAlarm();
        }
    }

    @Test
    void deliversThePropertiesOfAMessage() {
        RabbitHarness harness = harness(RabbitHarness.fresh(broker).settings()).start();

        Delivery request = harness.request(
                new BasicProperties.Builder()
                        .deliveryMode(2)
                        .correlationId("c-1")
                        .replyTo("r-1")
                        .messageId("m-1")
                        .expiration("60000")
                        .headers(Map.of("traceparent", "00-abc"))
                        .build(),
                "x".repeat(3 << 20));

        assertThat(request.correlationId()).isEqualTo("c-1");
        assertThat(request.replyTo()).isEqualTo("r-1");
        assertThat(request.timeToLiveMillis()).isEqualTo(60_000);
        assertThat(request.header("traceparent")).isEqualTo("00-abc");
        assertThat(request.coordinates()).isEqualTo(harness.settings.requests().queue() + "/m-1");
        assertThat(request.payload()).hasSize(3 << 20);
    }

    @Test
    void findsQueuesThatWouldDropRequestsAndChangesNoQueue() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();
        DeliveryLimitCheck check = new DeliveryLimitCheck(settings);
        EventLoopThread loop = new EventLoopThread("test", Platform.system());
        try (Connection connection = new Connector(settings, "test", Platform.system()).open("test", loop)) {
            assertThat(check.isDroppingMessages(connection)).as("missing").isFalse();
            assertThat(drops(settings, check, connection, Map.of("x-queue-type", "quorum")))
                    .isTrue();
            assertThat(drops(settings, check, connection, Map.of("x-queue-type", "classic")))
                    .isFalse();
            assertThat(drops(
                            settings,
                            check,
                            connection,
                            new Topology(settings).entities().get(0).arguments()))
                    .isFalse();
            assertThat(drops(
                            settings,
                            check,
                            connection,
                            Map.of("x-queue-type", "quorum", "x-delivery-limit", 5, "x-max-length", 100)))
                    .isTrue();
            assertThat(check.warning(connection) == null)
                    .isEqualTo(DeliveryLimitCheck.majorVersion(connection
                                    .getServerProperties()
                                    .get("version")
                                    .toString())
                            < 4);
        } finally {
            loop.close();
        }
    }

    private static boolean drops(
            RabbitSettings settings, DeliveryLimitCheck check, Connection connection, Map<String, Object> arguments)
            throws Exception {
        String queue = settings.requests().queue();
        broker.deleteQueue(queue);
        broker.declareQueue(queue, new HashMap<>(arguments));
        boolean drops = check.isDroppingMessages(connection);
        // Fails if the check has changed the queue.
        broker.declareQueue(queue, new HashMap<>(arguments));
        return drops;
    }

    private RabbitHarness harness(RabbitSettings settings) {
        RabbitHarness harness = new RabbitHarness(broker, settings);
        harnesses.add(harness);
        return harness;
    }

    private static void staysAt(RabbitHarness harness, int count) {
        await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.intake.accepted.size() >= count);
        await().during(Duration.ofMillis(500)).until(() -> harness.intake.accepted.size() == count);
    }
}
