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
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RabbitSourceIT {

    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitBroker broker;

    private final List<RabbitHarness> stages = new ArrayList<>();

    @BeforeAll
    static void startBroker() {
        broker = RabbitBroker.launch();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @AfterEach
    void closeStages() {
        stages.forEach(RabbitHarness::close);
    }

    @Test
    void holdsNoMoreThanTheWindowAsksForHoweverOftenItChanges() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings());
        stage.publish(40);
        stage.source().prefetchHint(3, 2);
        stage.start();
        staysAt(stage, 5);

        stage.source().prefetchHint(6, 2);
        staysAt(stage, 8);
        stage.source().prefetchHint(4, 2);
        stage.source().prefetchHint(9, 2);
        staysAt(stage, 11);
        stage.taken(11).subList(0, 5).forEach(delivery -> delivery.settlement().acknowledge());

        staysAt(stage, 16);
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 11);
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void readsOnAfterAMessageWhoseHeadersTheClientCannotDecode(QueueType type) {
        RabbitHarness stage =
                stage(RabbitHarness.fresh(broker).declare(true, type).settings());
        stage.publish(new BasicProperties.Builder().headers(nested(40)).build(), "nested");
        stage.publish(20);

        stage.start();

        List<Delivery> taken = stage.taken(21);
        assertThat(taken.get(0).problem()).contains("headers cannot be decoded", "nested");
        taken.forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 0);
        assertThat(taken.subList(1, 21)).extracting(Delivery::problem).containsOnlyNulls();
        assertThat(stage.intake.taken).hasSize(21);
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void keepsToItsBufferWhenLargeMessagesFollowSmallOnes(QueueType type) {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .declare(true, type)
                .inbound(DataSize.ofMebibytes(1), DataSize.ofMebibytes(16))
                .settings();
        RabbitHarness stage = stage(settings).start();
        stage.intake.then = delivery -> delivery.settlement().acknowledge();
        stage.publish(200);
        stage.taken(200);
        stage.intake.limit = 200;

        List<byte[]> large = IntStream.range(0, 40)
                .mapToObj(i -> RabbitHarness.bytes(i + "-" + "x".repeat(200_000)))
                .toList();
        broker.publish(settings.requests().queue(), large);

        await().atMost(RabbitHarness.SOON)
                .until(() -> stage.source().status().pauseReasons().contains(PauseReason.BUFFER_FULL));
        await().during(Duration.ofMillis(500))
                .until(() -> stage.source().status().buffered() <= (1 << 20) / 200_000);
        stage.intake.limit = Integer.MAX_VALUE;
        stage.source().capacityAvailable();
        List<Delivery> taken = stage.taken(240).subList(200, 240);
        assertThat(taken)
                .extracting(RecordingIntake::text)
                .containsExactlyInAnyOrderElementsOf(
                        large.stream().map(RabbitHarness::text).toList());
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 0);
        assertThat(stage.intake.taken).hasSize(240);
    }

    @Test
    void handsOverAMessageOverTheLimitWithoutItsBody() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker)
                .inbound(DataSize.ofMebibytes(1), new DataSize(300_000))
                .settings());
        stage.publish(new BasicProperties.Builder().correlationId("c-1").build(), "x".repeat(300_001));
        stage.publish(5);

        stage.start();

        List<Delivery> taken = stage.taken(6);
        assertThat(taken.get(0).problem()).contains("300001 bytes", "SHA-256");
        assertThat(taken.get(0).payload()).isEmpty();
        assertThat(taken.get(0).correlationId()).isEqualTo("c-1");
        assertThat(taken.subList(1, 6)).extracting(Delivery::problem).containsOnlyNulls();
        taken.forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 0);
    }

    private static Map<String, Object> nested(int levels) {
        Map<String, Object> table = Map.of("n", 1);
        for (int level = 1; level < levels; level++) {
            table = Map.of("n", table);
        }
        return table;
    }

    @Test
    void readsMoreThanAQuorumQueueGivesToOneConsumerAlsoWhenTheWindowGrowsLate() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings());
        stage.source().prefetchHint(100, 100);
        stage.publish(150);
        stage.start();
        stage.taken(150);

        stage.source().prefetchHint(1_300, 1_300);
        stage.publish(2_450);

        stage.taken(2_600).forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 0);
        assertThat(stage.intake.taken).hasSize(2_600);
    }

    @Test
    void leavesTheOneOpenAmongAllThatAreDone() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings()).start();
        stage.publish(50);
        List<Delivery> taken = stage.taken(50);

        for (int i = 0; i < 50; i++) {
            if (i != 3) {
                taken.get(i).settlement().acknowledge();
            }
        }

        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 1);
        stage.close();
        assertThat(broker.consume(stage.settings.requests().queue()))
                .extracting(message -> RabbitHarness.text(message.getBody()))
                .containsExactly("m-3");
    }

    @Test
    void releasesUseUpNoneOfTheDeliveriesThatAQueueGrants() {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();
        String queue = settings.requests().queue();
        broker.rabbitmqctl("set_policy", queue, "^" + queue + "$", "{\"delivery-limit\":1}", "--apply-to", "queues");
        RabbitHarness stage = stage(settings).start();
        stage.request(PLAIN, "patient");

        for (int handedOut = 1; handedOut <= 4; handedOut++) {
            stage.taken(handedOut).get(handedOut - 1).settlement().release();
        }

        assertThat(stage.taken(5)).extracting(RecordingIntake::text).containsOnly("patient");
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 1);
        assertThat(broker.readyMessages(settings.deadLetters().queue())).isZero();
        stage.close();
        assertThat(broker.consume(queue)).hasSize(1);
    }

    @Test
    void declaresAgainAndConsumesAgainWhenTheQueueWasDeleted() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings()).start();
        Delivery before = stage.request(PLAIN, "before");

        broker.deleteQueue(stage.settings.requests().queue());
        await().atMost(RabbitHarness.SOON).ignoreExceptions().until(() -> stage.consumers() == 1);
        before.settlement().acknowledge();

        stage.request(PLAIN, "after");
        assertThat(stage.intake.receivedPayloads()).containsExactly("before", "after");
    }

    @Test
    void saysThatAQueueIsMissingAndReadsWhenItIsThere() {
        RabbitSettings settings =
                RabbitHarness.fresh(broker).declare(false, QueueType.QUORUM).settings();
        RabbitHarness stage = stage(settings);
        broker.deleteQueue(settings.answers().routingKey());
        stage.start();
        await().atMost(RabbitHarness.SOON)
                .until(() -> String.valueOf(stage.source().status().problem()).contains("does not exist"));
        assertThat(stage.source().status().problem())
                .contains("queue " + settings.answers().routingKey());

        stage.declare();

        stage.awaitConnected();
        stage.request(PLAIN, "x");
    }

    @Test
    void repeatsWhatWasOpenWhenItsConnectionIsCutAndNeverUsesAnOldTag() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings()).start();
        stage.publish(20);
        List<Delivery> old = stage.taken(20);
        old.subList(0, 5).forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 15);

        broker.cutConnections();
        List<Delivery> again = stage.taken(35).subList(20, 35);
        old.subList(5, 20).forEach(delivery -> delivery.settlement().acknowledge());
        again.subList(0, 10).forEach(delivery -> delivery.settlement().acknowledge());

        await().atMost(RabbitHarness.SOON).until(() -> stage.unacknowledged() == 5);
        await().during(Duration.ofMillis(500)).until(() -> stage.unacknowledged() == 5);
        assertThat(stage.intake.taken).hasSize(35);
        await().until(() -> stage.source().status().redelivered() == 15);
        assertThat(stage.source().status().duplicateSettlements()).isZero();
    }

    @Test
    void givesWhatItHoldsToOthersWhileItIsPaused() {
        RabbitHarness first = stage(RabbitHarness.fresh(broker).settings());
        first.intake.limit = 1;
        first.start();
        first.publish(10);
        await().atMost(RabbitHarness.SOON).until(() -> first.source().status().buffered() == 9);
        RabbitHarness second = stage(first.settings).start();
        second.awaitConnected();

        first.source().pause();

        assertThat(second.taken(9)).hasSize(9);
        first.source().resume();
        first.intake.limit = 2;
        second.source().pause();
        second.publish(1);
        first.taken(2);
    }

    @Test
    void handsOverNothingWhileTheBrokerTakesNoMessages() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings()).start();
        Delivery request = stage.request(PLAIN, "first");
        stage.publish(3);
        stage.taken(4);
        broker.raiseMemoryAlarm();
        try {
            var answer = stage.sink().publish(request, RabbitHarness.bytes("answer"), null);
            await().atMost(RabbitHarness.SOON)
                    .until(() -> stage.source().status().pauseReasons().contains(PauseReason.BROKER_BLOCKED));
            assertThat(answer.toCompletableFuture()).isNotDone();
            stage.taken(4).get(1).settlement().release();
            await().during(Duration.ofMillis(800)).until(() -> stage.intake.taken.size() == 4);

            broker.clearMemoryAlarm();

            assertThat(RabbitHarness.get(answer)).isEqualTo(io.iocluster.transport.PublishResult.CONFIRMED);
            stage.taken(5);
            await().until(() -> stage.source().status().pauseReasons().isEmpty());
        } finally {
            broker.clearMemoryAlarm();
        }
    }

    @Test
    void handsOverWhatAMessageSaysOfItself() {
        RabbitHarness stage = stage(RabbitHarness.fresh(broker).settings()).start();

        Delivery request = stage.request(
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
        assertThat(request.coordinates()).isEqualTo(stage.settings.requests().queue() + "/m-1");
        assertThat(request.payload()).hasSize(3 << 20);
    }

    @Test
    void findsQueuesThatWouldDropRequestsAndChangesNone() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();
        DeliveryLimitCheck check = new DeliveryLimitCheck(settings);
        EventLoopThread loop = new EventLoopThread("test");
        try (Connection connection = new Connector(settings, "test").open("test", loop)) {
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
        // Fails if the queue is not as it was declared.
        broker.declareQueue(queue, new HashMap<>(arguments));
        return drops;
    }

    private RabbitHarness stage(RabbitSettings settings) {
        RabbitHarness stage = new RabbitHarness(broker, settings);
        stages.add(stage);
        return stage;
    }

    private static void staysAt(RabbitHarness stage, int count) {
        await().atMost(RabbitHarness.SOON).until(() -> stage.intake.taken.size() >= count);
        await().during(Duration.ofMillis(500)).until(() -> stage.intake.taken.size() == count);
    }
}
