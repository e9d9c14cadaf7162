package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.RabbitSettings.QueueType;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.contract.TakingIntake;
import io.iocluster.transport.Delivery;
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

    private final List<RabbitStage> stages = new ArrayList<>();

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
        stages.forEach(RabbitStage::close);
    }

    @Test
    void holdsNoMoreThanTheWindowAsksForHoweverOftenItChanges() {
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings());
        stage.publish(40);
        stage.source().windowSized(3, 2);
        stage.start();
        staysAt(stage, 5);

        stage.source().windowSized(6, 2);
        staysAt(stage, 8);
        stage.source().windowSized(4, 2);
        stage.source().windowSized(9, 2);
        staysAt(stage, 11);
        stage.taken(11).subList(0, 5).forEach(delivery -> delivery.settlement().acknowledge());

        staysAt(stage, 16);
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 11);
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void readsOnAfterAMessageWhoseHeadersTheClientCannotDecode(QueueType type) {
        RabbitStage stage = stage(RabbitStage.fresh(broker).declare(true, type).settings());
        stage.publish(new BasicProperties.Builder().headers(nested(40)).build(), "nested");
        stage.publish(20);

        stage.start();

        List<Delivery> taken = stage.taken(21);
        assertThat(taken.get(0).problem()).contains("headers cannot be decoded", "nested");
        taken.forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 0);
        assertThat(taken.subList(1, 21)).extracting(Delivery::problem).containsOnlyNulls();
        assertThat(stage.intake.taken).hasSize(21);
    }

    @ParameterizedTest
    @EnumSource(QueueType.class)
    void keepsToItsBufferWhenLargeMessagesFollowSmallOnes(QueueType type) {
        RabbitSettings settings = RabbitStage.fresh(broker)
                .declare(true, type)
                .inbound(DataSize.ofMebibytes(1), DataSize.ofMebibytes(16))
                .settings();
        RabbitStage stage = stage(settings).start();
        stage.intake.then = delivery -> delivery.settlement().acknowledge();
        stage.publish(200);
        stage.taken(200);
        stage.intake.limit = 200;

        List<byte[]> large = IntStream.range(0, 40)
                .mapToObj(i -> RabbitStage.bytes(i + "-" + "x".repeat(200_000)))
                .toList();
        broker.publish(settings.requests().queue(), large);

        await().atMost(RabbitStage.SOON)
                .until(() -> stage.source().status().pausedFor().contains("buffer-full"));
        await().during(Duration.ofMillis(500))
                .until(() -> stage.source().status().buffered() <= (1 << 20) / 200_000);
        stage.intake.limit = Integer.MAX_VALUE;
        stage.source().roomFreed();
        List<Delivery> taken = stage.taken(240).subList(200, 240);
        assertThat(taken)
                .extracting(TakingIntake::text)
                .containsExactlyInAnyOrderElementsOf(
                        large.stream().map(RabbitStage::text).toList());
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 0);
        assertThat(stage.intake.taken).hasSize(240);
    }

    @Test
    void handsOverAMessageOverTheLimitWithoutItsBody() {
        RabbitStage stage = stage(RabbitStage.fresh(broker)
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
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 0);
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
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings());
        stage.source().windowSized(100, 100);
        stage.publish(150);
        stage.start();
        stage.taken(150);

        stage.source().windowSized(1_300, 1_300);
        stage.publish(2_450);

        stage.taken(2_600).forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 0);
        assertThat(stage.intake.taken).hasSize(2_600);
    }

    @Test
    void leavesTheOneOpenAmongAllThatAreDone() {
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings()).start();
        stage.publish(50);
        List<Delivery> taken = stage.taken(50);

        for (int i = 0; i < 50; i++) {
            if (i != 3) {
                taken.get(i).settlement().acknowledge();
            }
        }

        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 1);
        stage.close();
        assertThat(broker.take(stage.settings.requests().queue()))
                .extracting(message -> RabbitStage.text(message.getBody()))
                .containsExactly("m-3");
    }

    @Test
    void releasesUseUpNoneOfTheDeliveriesThatAQueueGrants() {
        RabbitSettings settings = RabbitStage.fresh(broker).settings();
        String queue = settings.requests().queue();
        broker.control("set_policy", queue, "^" + queue + "$", "{\"delivery-limit\":1}", "--apply-to", "queues");
        RabbitStage stage = stage(settings).start();
        stage.request(PLAIN, "patient");

        for (int handedOut = 1; handedOut <= 4; handedOut++) {
            stage.taken(handedOut).get(handedOut - 1).settlement().release();
        }

        assertThat(stage.taken(5)).extracting(TakingIntake::text).containsOnly("patient");
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 1);
        assertThat(broker.depth(settings.deadLetters().queue())).isZero();
        stage.close();
        assertThat(broker.take(queue)).hasSize(1);
    }

    @Test
    void declaresAgainAndConsumesAgainWhenTheQueueWasDeleted() {
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings()).start();
        Delivery before = stage.request(PLAIN, "before");

        broker.deleteQueue(stage.settings.requests().queue());
        await().atMost(RabbitStage.SOON).ignoreExceptions().until(() -> stage.consumers() == 1);
        before.settlement().acknowledge();

        stage.request(PLAIN, "after");
        assertThat(stage.intake.payloads()).containsExactly("before", "after");
    }

    @Test
    void saysThatAQueueIsMissingAndReadsWhenItIsThere() {
        RabbitSettings settings =
                RabbitStage.fresh(broker).declare(false, QueueType.QUORUM).settings();
        RabbitStage stage = stage(settings);
        broker.deleteQueue(settings.answers().routingKey());
        stage.start();
        await().atMost(RabbitStage.SOON)
                .until(() -> String.valueOf(stage.source().status().problem()).contains("does not exist"));
        assertThat(stage.source().status().problem())
                .contains("queue " + settings.answers().routingKey());

        stage.declare();

        stage.awaitConnected();
        stage.request(PLAIN, "x");
    }

    @Test
    void repeatsWhatWasOpenWhenItsConnectionIsCutAndNeverUsesAnOldTag() {
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings()).start();
        stage.publish(20);
        List<Delivery> old = stage.taken(20);
        old.subList(0, 5).forEach(delivery -> delivery.settlement().acknowledge());
        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 15);

        broker.cutConnections();
        List<Delivery> again = stage.taken(35).subList(20, 35);
        old.subList(5, 20).forEach(delivery -> delivery.settlement().acknowledge());
        again.subList(0, 10).forEach(delivery -> delivery.settlement().acknowledge());

        await().atMost(RabbitStage.SOON).until(() -> stage.unacknowledged() == 5);
        await().during(Duration.ofMillis(500)).until(() -> stage.unacknowledged() == 5);
        assertThat(stage.intake.taken).hasSize(35);
        await().until(() -> stage.source().status().redelivered() == 15);
        assertThat(stage.source().status().strayedSettlements()).isZero();
    }

    @Test
    void givesWhatItHoldsToOthersWhileItIsPaused() {
        RabbitStage first = stage(RabbitStage.fresh(broker).settings());
        first.intake.limit = 1;
        first.start();
        first.publish(10);
        await().atMost(RabbitStage.SOON).until(() -> first.source().status().buffered() == 9);
        RabbitStage second = stage(first.settings).start();
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
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings()).start();
        Delivery request = stage.request(PLAIN, "first");
        stage.publish(3);
        stage.taken(4);
        broker.raiseMemoryAlarm();
        try {
            var answer = stage.sink().publish(request, RabbitStage.bytes("answer"), null);
            await().atMost(RabbitStage.SOON)
                    .until(() -> stage.source().status().pausedFor().contains("broker-blocked"));
            assertThat(answer.toCompletableFuture()).isNotDone();
            stage.taken(4).get(1).settlement().release();
            await().during(Duration.ofMillis(800)).until(() -> stage.intake.taken.size() == 4);

            broker.liftMemoryAlarm();

            assertThat(RabbitStage.get(answer)).isEqualTo(io.iocluster.transport.PublishResult.CONFIRMED);
            stage.taken(5);
            await().until(() -> stage.source().status().pausedFor().isEmpty());
        } finally {
            broker.liftMemoryAlarm();
        }
    }

    @Test
    void handsOverWhatAMessageSaysOfItself() {
        RabbitStage stage = stage(RabbitStage.fresh(broker).settings()).start();

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
        RabbitSettings settings = RabbitStage.fresh(broker).settings();
        PoisonCheck check = new PoisonCheck(settings);
        Loop loop = new Loop("test");
        try (Connection connection = new Connector(settings, "test").open("test", loop)) {
            assertThat(check.drops(connection)).as("missing").isFalse();
            assertThat(drops(settings, check, connection, Map.of("x-queue-type", "quorum")))
                    .isTrue();
            assertThat(drops(settings, check, connection, Map.of("x-queue-type", "classic")))
                    .isFalse();
            assertThat(drops(
                            settings,
                            check,
                            connection,
                            new Topology(settings).places().get(0).arguments()))
                    .isFalse();
            assertThat(drops(
                            settings,
                            check,
                            connection,
                            Map.of("x-queue-type", "quorum", "x-delivery-limit", 5, "x-max-length", 100)))
                    .isTrue();
            assertThat(check.warning(connection) == null)
                    .isEqualTo(PoisonCheck.major(connection
                                    .getServerProperties()
                                    .get("version")
                                    .toString())
                            < 4);
        } finally {
            loop.close();
        }
    }

    private static boolean drops(
            RabbitSettings settings, PoisonCheck check, Connection connection, Map<String, Object> arguments)
            throws Exception {
        String queue = settings.requests().queue();
        broker.deleteQueue(queue);
        broker.declareQueue(queue, new HashMap<>(arguments));
        boolean drops = check.drops(connection);
        // Fails if the queue is not as it was declared.
        broker.declareQueue(queue, new HashMap<>(arguments));
        return drops;
    }

    private RabbitStage stage(RabbitSettings settings) {
        RabbitStage stage = new RabbitStage(broker, settings);
        stages.add(stage);
        return stage;
    }

    private static void staysAt(RabbitStage stage, int count) {
        await().atMost(RabbitStage.SOON).until(() -> stage.intake.taken.size() >= count);
        await().during(Duration.ofMillis(500)).until(() -> stage.intake.taken.size() == count);
    }
}
