package io.iocluster.simulation.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.connection.ChannelProbe;
import io.iocluster.rabbit.connection.FailureText;
import io.iocluster.simulation.rabbit.RabbitWorld.Recorder;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the simulated broker, from the documentation of RabbitMQ and AMQP 0-9-1. */
class SimulatedRabbitTest {

    private static final Map<String, Object> CLASSIC = Map.of();
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    private final RabbitWorld world = new RabbitWorld();
    private final SimulatedRabbit broker = world.broker;

    @Test
    void deliversToAConsumerUntilItsPrefetchIsUnacknowledged() throws Exception {
        broker.declareQueue("q", CLASSIC);
        Channel channel = world.channel();
        world.send("q", "a", "b", "c");

        Recorder consumer = world.consume(channel, "q", 2);
        assertThat(consumer.bodies).containsExactly("a", "b");

        world.run(() -> {
            channel.basicAck(consumer.tag(0), false);
            return 0;
        });
        assertThat(consumer.bodies).containsExactly("a", "b", "c");
        assertThat(broker.unacknowledged("q")).isEqualTo(2);
    }

    @Test
    void dividesTheMessagesBetweenConsumersInTurn() throws Exception {
        broker.declareQueue("q", CLASSIC);
        Recorder first = world.consume(world.channel(), "q", 0);
        Recorder second = world.consume(world.channel(), "q", 0);

        world.send("q", "a", "b", "c", "d");
        world.pass(Duration.ofSeconds(1));

        assertThat(first.bodies).hasSize(2);
        assertThat(second.bodies).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "quorum"})
    void redeliversTheMessagesOfALostConnectionInTheirOrderBeforeOthers(String type) throws Exception {
        broker.declareQueue("q", Map.of("x-queue-type", type));
        world.send("q", "a", "b", "c", "d");
        Channel channel = world.channel();
        Recorder before = world.consume(channel, "q", 3);
        assertThat(before.envelopes).noneMatch(envelope -> envelope.isRedeliver());

        broker.disconnect(world.process);
        world.pass(Duration.ofSeconds(5));
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.getCloseReason().isHardError()).isTrue();
        Recorder after = world.consume(world.channel(), "q", 0);

        assertThat(after.bodies).containsExactly("a", "b", "c", "d");
        assertThat(after.envelopes)
                .extracting(envelope -> envelope.isRedeliver())
                .containsExactly(true, true, true, false);
        assertThat(after.properties.get(3).getHeaders()).isNull();
        Object count = after.properties.get(0).getHeaders() == null
                ? null
                : after.properties.get(0).getHeaders().get("x-delivery-count");
        assertThat(count).isEqualTo(type.equals("quorum") ? 1L : null);
    }

    @Test
    void deadLettersAMessageOfAQuorumQueueThatExceedsTheDeliveryLimit() throws Exception {
        broker.declareQueue("dead", CLASSIC);
        broker.declareQueue(
                "q",
                Map.of(
                        "x-queue-type", "quorum",
                        "x-delivery-limit", 2,
                        "x-dead-letter-exchange", "",
                        "x-dead-letter-routing-key", "dead"));
        world.send("q", "a");
        Channel channel = world.channel();
        Recorder consumer = world.consume(channel, "q", 1);

        for (int i = 0; i < 3; i++) {
            long tag = consumer.tag(i);
            world.run(() -> {
                channel.basicNack(tag, false, true);
                return 0;
            });
        }

        assertThat(consumer.bodies).hasSize(3);
        assertThat(world.ready("q")).isEmpty();
        assertThat(world.ready("dead")).containsExactly("a");
        Map<?, ?> death = (Map<?, ?>)
                ((List<?>) broker.readyProperties("dead").get(0).getHeaders().get("x-death")).get(0);
        assertThat(death.get("reason")).isEqualTo("delivery_limit");
    }

    @Test
    void hasADefaultDeliveryLimitFromVersionFourOn() throws Exception {
        for (String version : List.of("3.13.7", "4.1.0")) {
            RabbitWorld other = new RabbitWorld(1, version);
            other.broker.declareQueue("q", QUORUM);
            other.send("q", "a");
            Channel channel = other.channel();
            Recorder consumer = other.consume(channel, "q", 1);
            for (int i = 0; i < 25 && i < consumer.envelopes.size(); i++) {
                long tag = consumer.tag(i);
                other.run(() -> {
                    channel.basicReject(tag, true);
                    return 0;
                });
            }
            assertThat(consumer.bodies).hasSize(version.startsWith("3") ? 26 : 21);
        }
    }

    @Test
    void acknowledgesAllUpToATagWithMultiple() throws Exception {
        broker.declareQueue("q", CLASSIC);
        world.send("q", "a", "b", "c");
        Channel channel = world.channel();
        Recorder consumer = world.consume(channel, "q", 0);

        world.run(() -> {
            channel.basicAck(consumer.tag(1), true);
            return 0;
        });

        assertThat(broker.unacknowledged("q")).isEqualTo(1);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void closesTheChannelForAnUnknownDeliveryTagAndReturnsItsMessages() throws Exception {
        broker.declareQueue("q", CLASSIC);
        world.send("q", "a", "b");
        Channel channel = world.channel();
        Recorder consumer = world.consume(channel, "q", 0);

        world.run(() -> {
            channel.basicAck(consumer.tag(0), false);
            channel.basicAck(consumer.tag(0), false);
            channel.basicAck(consumer.tag(1), false); // Ignored, because the channel is closed.
            return 0;
        });

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.getConnection().isOpen()).isTrue();
        assertThat(FailureText.replyCode(channel.getCloseReason().getReason())).isEqualTo(406);
        assertThat(FailureText.of(channel.getCloseReason())).isEqualTo("PRECONDITION_FAILED - unknown delivery tag 1");
        assertThat(world.ready("q")).containsExactly("b");
        assertThatThrownBy(() -> channel.basicAck(1, false)).isInstanceOf(AlreadyClosedException.class);
    }

    @Test
    void closesTheChannelForAMissingQueueOrExchange() throws Exception {
        Connection connection = world.connect();

        ChannelProbe.BrokerRefusal refusal =
                world.run(() -> ChannelProbe.probe(connection, channel -> channel.queueDeclarePassive("none")));
        assertThat(refusal.code()).isEqualTo(404);
        assertThat(refusal.text()).isEqualTo("NOT_FOUND - no queue 'none' in vhost '/'");

        Channel channel = world.channel();
        world.run(() -> {
            channel.basicPublish("none", "k", RabbitWorld.PERSISTENT, new byte[0]);
            return 0;
        });
        assertThat(FailureText.replyCode(channel.getCloseReason().getReason())).isEqualTo(404);
    }

    @Test
    void namesTheDifferentArgumentOfASecondDeclaration() throws Exception {
        broker.declareQueue("q", Map.of("x-queue-type", "quorum", "x-message-ttl", 5_000));
        Connection connection = world.connect();

        ChannelProbe.BrokerRefusal refusal = world.run(
                () -> ChannelProbe.probe(connection, channel -> channel.queueDeclare("q", true, false, false, QUORUM)));

        assertThat(refusal.code()).isEqualTo(AMQP.PRECONDITION_FAILED);
        assertThat(refusal.text())
                .contains("inequivalent arg 'x-message-ttl' for queue 'q'", "current is the value '5000' of type");
    }

    @Test
    void locksAnExclusiveQueueUntilItsConnectionEnds() throws Exception {
        Channel owner = world.channel();
        world.run(() -> owner.queueDeclare("own", false, true, true, Map.of()));
        Connection other = world.connect();

        ChannelProbe.BrokerRefusal refusal =
                world.run(() -> ChannelProbe.probe(other, channel -> channel.queueDeclarePassive("own")));
        assertThat(refusal.code()).isEqualTo(405);

        world.run(() -> {
            owner.getConnection().close();
            return 0;
        });
        assertThat(broker.exists("own")).isFalse();
    }

    @Test
    void returnsAMandatoryMessageBeforeItsConfirm() throws Exception {
        Channel channel = world.channel();
        List<String> events = RabbitWorld.confirms(channel);
        world.run(channel::confirmSelect);

        world.run(() -> {
            channel.basicPublish("", "none", true, RabbitWorld.PERSISTENT, new byte[0]);
            channel.basicPublish("", "none", false, RabbitWorld.PERSISTENT, new byte[0]);
            return 0;
        });

        assertThat(events.get(0)).isEqualTo("return none");
        assertThat(String.join(",", events)).containsOnlyOnce("return").contains("ack 2");
    }

    @Test
    void confirmsEachMessageOnceAndWithMultipleOnlyWhatIsStored() throws Exception {
        boolean sawMultiple = false;
        for (long seed = 0; seed < 20; seed++) {
            RabbitWorld each = new RabbitWorld(seed, "4.1.0");
            each.broker.declareQueue("q", QUORUM);
            each.broker.declareQueue("full", Map.of("x-max-length", 0, "x-overflow", "reject-publish"));
            Channel channel = each.channel();
            List<String> events = RabbitWorld.confirms(channel);
            each.run(channel::confirmSelect);
            each.run(() -> {
                for (int i = 0; i < 30; i++) {
                    channel.basicPublish("", i % 7 == 3 ? "full" : "q", RabbitWorld.PERSISTENT, new byte[0]);
                }
                return 0;
            });

            List<Long> confirmed = new ArrayList<>();
            long settledUpTo = 0;
            for (String event : events) {
                String[] parts = event.split(" ");
                long number = Long.parseLong(parts[1]);
                if (parts.length > 2) {
                    sawMultiple = true;
                    for (long i = settledUpTo + 1; i < number; i++) {
                        if (!confirmed.contains(i)) {
                            confirmed.add(i);
                        }
                    }
                }
                settledUpTo = Math.max(settledUpTo, parts.length > 2 ? number : 0);
                confirmed.add(number);
                assertThat(parts[0]).as(event).isEqualTo((number - 1) % 7 == 3 ? "nack" : "ack");
            }
            assertThat(confirmed).doesNotHaveDuplicates().hasSize(30);
            assertThat(each.ready("q")).hasSize(26);
        }
        assertThat(sawMultiple).isTrue();
    }

    @Test
    void dropsTheHeadOfAFullQueueOrRefusesTheNewMessage() {
        broker.declareQueue("drop", Map.of("x-max-length", 2));
        broker.declareQueue("refuse", Map.of("x-max-length", 2, "x-overflow", "reject-publish"));

        world.send("drop", "a", "b", "c");
        world.send("refuse", "a", "b", "c");

        assertThat(world.ready("drop")).containsExactly("b", "c");
        assertThat(world.ready("refuse")).containsExactly("a", "b");
    }

    @Test
    void movesAnExpiredMessageToTheDeadLetterTargetWithItsHistory() {
        broker.declareQueue("requests", QUORUM);
        broker.declareQueue(
                "delay",
                Map.of(
                        "x-queue-type", "quorum",
                        "x-message-ttl", 5_000,
                        "x-dead-letter-exchange", "",
                        "x-dead-letter-routing-key", "requests"));
        world.send("delay", "a");

        world.pass(Duration.ofMillis(4_990));
        assertThat(world.ready("requests")).isEmpty();
        world.pass(Duration.ofMillis(20));

        assertThat(world.ready("requests")).containsExactly("a");
        Map<?, ?> death = (Map<?, ?>) ((List<?>)
                        broker.readyProperties("requests").get(0).getHeaders().get("x-death"))
                .get(0);
        assertThat(death.get("reason")).isEqualTo("expired");
        assertThat(death.get("queue")).isEqualTo("delay");
        assertThat(death.get("count")).isEqualTo(1L);
    }

    @Test
    void expiresMessagesOnlyAtTheHead() {
        broker.declareQueue("dead", CLASSIC);
        broker.declareQueue("q", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "dead"));
        for (String ttl : List.of("3000", "1000")) {
            broker.publish(
                    "", "q", new BasicProperties.Builder().expiration(ttl).build(), RabbitWorld.bytes(ttl));
        }

        world.pass(Duration.ofMillis(2_000));
        assertThat(world.ready("dead")).isEmpty();
        world.pass(Duration.ofMillis(1_100));

        assertThat(world.ready("dead")).containsExactly("3000", "1000");
        assertThat(broker.readyProperties("dead").get(0).getExpiration()).isNull();
    }

    @Test
    void blocksAConnectionFromItsFirstPublishOnWhileAnAlarmIsRaised() throws Exception {
        broker.declareQueue("q", CLASSIC);
        Channel channel = world.channel();
        List<String> events = RabbitWorld.confirms(channel);
        channel.getConnection().addBlockedListener(new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                events.add("blocked");
            }

            @Override
            public void handleUnblocked() {
                events.add("unblocked");
            }
        });
        world.run(channel::confirmSelect);

        broker.setAlarm(true);
        world.pass(Duration.ofSeconds(1));
        assertThat(events).isEmpty();
        world.run(() -> {
            channel.basicPublish("", "q", RabbitWorld.PERSISTENT, new byte[0]);
            channel.basicPublish("", "q", RabbitWorld.PERSISTENT, new byte[0]);
            return 0;
        });
        assertThat(events).containsExactly("blocked", "ack 1");
        assertThat(world.ready("q")).hasSize(1);

        broker.setAlarm(false);
        world.pass(Duration.ofSeconds(1));
        assertThat(events).containsExactly("blocked", "ack 1", "unblocked", "ack 2");
    }

    @Test
    void confirmsNothingOfAQueueWithoutALeaderAndBlocksTheChannelAfterTheSoftLimit() throws Exception {
        broker.declareQueue("leaderless", QUORUM);
        broker.declareQueue("q", QUORUM);
        Channel channel = world.channel();
        List<String> events = RabbitWorld.confirms(channel);
        world.run(channel::confirmSelect);
        broker.loseLeader("leaderless", false);

        world.run(() -> {
            for (int i = 0; i < 31; i++) {
                channel.basicPublish("", "leaderless", RabbitWorld.PERSISTENT, new byte[0]);
            }
            channel.basicPublish("", "q", RabbitWorld.PERSISTENT, new byte[0]);
            return 0;
        });
        assertThat(events).containsExactly("ack 32");
        world.run(() -> {
            channel.basicPublish("", "leaderless", RabbitWorld.PERSISTENT, new byte[0]);
            channel.basicPublish("", "q", RabbitWorld.PERSISTENT, new byte[0]);
            return 0;
        });
        assertThat(events).containsExactly("ack 32");

        broker.electLeader("leaderless");
        world.pass(Duration.ofSeconds(1));
        assertThat(world.ready("leaderless")).hasSize(32);
        assertThat(world.ready("q")).hasSize(2);
        assertThat(events).hasSizeGreaterThan(1);
    }

    @Test
    void returnsAMessageWhoseAcknowledgementWaitsForALeaderWhenTheChannelCloses() throws Exception {
        broker.declareQueue("q", QUORUM);
        world.send("q", "a", "b");
        Channel channel = world.channel();
        Recorder recorder = world.consume(channel, "q", 1);
        broker.loseLeader("q", false);
        world.run(() -> {
            channel.basicAck(recorder.tag(0), false);
            return 0;
        });

        broker.disconnect(world.process);
        world.pass(Duration.ofSeconds(5));
        broker.electLeader("q");

        assertThat(world.ready("q")).containsExactly("a", "b");
        assertThat(broker.unacknowledged("q")).isZero();
    }

    @Test
    void reportsAStoredMessageWhosePublisherLosesItsConnectionBeforeTheConfirm() throws Exception {
        List<String> reports = new ArrayList<>();
        broker.declareQueue("q", QUORUM);
        broker.observe(reportsTo(reports), Duration.ofMinutes(1));
        Channel channel = world.channel();
        world.run(channel::confirmSelect);
        broker.slowDown(Duration.ofSeconds(10));
        world.process.after(Duration.ZERO, () -> publish(channel));
        world.pass(Duration.ofSeconds(1));
        assertThat(reports).containsExactly("stored");

        broker.disconnect(world.process);
        world.pass(Duration.ofMinutes(1));

        assertThat(reports).containsExactly("stored", "confirm lost");
    }

    @Test
    void reportsNoLostConfirmIfThePublisherGotItInTime() throws Exception {
        List<String> reports = new ArrayList<>();
        broker.declareQueue("q", QUORUM);
        broker.observe(reportsTo(reports), Duration.ofMinutes(1));
        Channel channel = world.channel();
        world.run(channel::confirmSelect);
        world.process.after(Duration.ZERO, () -> publish(channel));
        world.pass(Duration.ofSeconds(1));

        broker.disconnect(world.process);
        world.pass(Duration.ofMinutes(1));

        assertThat(reports).containsExactly("stored");
    }

    @Test
    void reportsALostConfirmIfItComesAfterThePublisherHasGivenUp() throws Exception {
        List<String> reports = new ArrayList<>();
        broker.declareQueue("q", QUORUM);
        broker.observe(reportsTo(reports), Duration.ofSeconds(5));
        Channel channel = world.channel();
        world.run(channel::confirmSelect);
        broker.slowDown(Duration.ofSeconds(10));
        world.process.after(Duration.ZERO, () -> publish(channel));

        world.pass(Duration.ofMinutes(1));

        assertThat(reports).containsExactly("stored", "confirm lost");
    }

    private static void publish(Channel channel) {
        try {
            channel.basicPublish("", "q", RabbitWorld.PERSISTENT, new byte[0]);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static RabbitObserver reportsTo(List<String> reports) {
        return new RabbitObserver() {

            @Override
            public void stored(String queue, SimulatedProcess publisher, BasicProperties properties, byte[] body) {
                reports.add("stored");
            }

            @Override
            public void confirmLost(SimulatedProcess publisher, BasicProperties properties) {
                reports.add("confirm lost");
            }

            @Override
            public void lost(BasicProperties properties, byte[] body) {
                reports.add("lost");
            }
        };
    }

    @Test
    void reportsATransientMessageOfAClassicQueueThatACrashLoses() throws Exception {
        List<String> reports = new ArrayList<>();
        broker.declareQueue("q", CLASSIC);
        broker.observe(reportsTo(reports), Duration.ofMinutes(1));
        broker.publish("", "q", new BasicProperties(), new byte[0]);
        broker.publish("", "q", RabbitWorld.PERSISTENT, new byte[0]);

        broker.crash();

        assertThat(reports).containsExactly("stored", "stored", "lost");
    }

    @Test
    void cancelsTheConsumersOfADeletedQueue() throws Exception {
        broker.declareQueue("q", CLASSIC);
        world.send("q", "a");
        Channel channel = world.channel();
        Recorder consumer = world.consume(channel, "q", 0);

        broker.deleteQueue("q");
        world.pass(Duration.ofSeconds(1));

        assertThat(consumer.cancelled).isTrue();
        assertThat(channel.isOpen()).isTrue();
        world.run(() -> {
            channel.basicAck(consumer.tag(0), false);
            return 0;
        });
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void keepsConfirmedPersistentMessagesInACrash() throws Exception {
        broker.declareQueue("classic", CLASSIC);
        broker.declareQueue("quorum", QUORUM);
        Channel channel = world.channel();
        List<String> events = RabbitWorld.confirms(channel);
        world.run(channel::confirmSelect);
        BasicProperties transientMessage =
                new BasicProperties.Builder().deliveryMode(1).build();
        world.run(() -> {
            channel.basicPublish("", "classic", RabbitWorld.PERSISTENT, RabbitWorld.bytes("persistent"));
            channel.basicPublish("", "classic", transientMessage, RabbitWorld.bytes("transient"));
            channel.basicPublish("", "quorum", transientMessage, RabbitWorld.bytes("replicated"));
            return 0;
        });
        assertThat(events).isNotEmpty();

        broker.crash();
        assertThatThrownBy(world::connect).isInstanceOf(IOException.class).hasMessageContaining("refused");
        broker.start();

        assertThat(channel.isOpen()).isFalse();
        assertThat(world.ready("classic")).containsExactly("persistent");
        assertThat(world.ready("quorum")).containsExactly("replicated");
    }

    @Test
    void refusesAnotherUserAndTooLargeMessages() throws Exception {
        broker.declareQueue("q", CLASSIC);
        broker.setMaxMessageBytes(100);
        Channel user = world.channel();
        Channel large = world.channel();

        world.run(() -> {
            user.basicPublish(
                    "", "q", new BasicProperties.Builder().userId("root").build(), new byte[0]);
            large.basicPublish("", "q", RabbitWorld.PERSISTENT, new byte[101]);
            return 0;
        });

        assertThat(FailureText.of(user.getCloseReason())).contains("user_id property set to 'root'");
        assertThat(FailureText.of(large.getCloseReason())).contains("message size 101");
        assertThat(world.ready("q")).isEmpty();
    }

    @Test
    void deletesAnIdleQueueAfterItsExpiry() throws Exception {
        Channel channel = world.channel();
        world.run(() -> channel.queueDeclare("q", true, false, false, Map.of("x-expires", 10_000)));
        assertThat(broker.exists("q")).isFalse(); // Two minutes have passed.

        world.run(() -> channel.queueDeclare("q", true, false, false, Map.of("x-expires", 600_000)));
        world.consume(channel, "q", 0);
        world.pass(Duration.ofMinutes(20));
        assertThat(broker.exists("q")).isTrue();
    }

    @Test
    void aFanoutExchangeCopiesToEachBoundQueue() throws Exception {
        broker.declareQueue("a", CLASSIC);
        broker.declareQueue("b", CLASSIC);
        Channel channel = world.channel();
        world.run(() -> {
            channel.exchangeDeclare("x", "fanout", true);
            channel.queueBind("a", "x", "");
            channel.queueBind("b", "x", "");
            channel.basicPublish("x", "any", RabbitWorld.PERSISTENT, RabbitWorld.bytes("m"));
            return 0;
        });

        assertThat(world.ready("a")).containsExactly("m");
        assertThat(world.ready("b")).containsExactly("m");
    }

    @Test
    void throwsForAMethodThatIsNotSimulated() throws Exception {
        Channel channel = world.channel();

        assertThatThrownBy(channel::txSelect).isInstanceOf(UnsupportedOperationException.class);
    }
}
