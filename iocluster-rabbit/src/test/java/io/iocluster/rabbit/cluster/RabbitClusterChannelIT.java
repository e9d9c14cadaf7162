package io.iocluster.rabbit.cluster;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.testkit.contract.ClusterChannelContract;
import io.iocluster.testkit.contract.ClusterChannelFixture;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.cluster.ClusterChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RabbitClusterChannelIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static RabbitBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @Nested
    class Contract extends ClusterChannelContract {

        @Override
        public ClusterChannelFixture newFixture() {
            return new RabbitClusterChannelFixture(broker, "cluster-" + TESTS.incrementAndGet());
        }
    }

    @Test
    void saysThatTheExchangeIsMissingUntilSomeoneDeclaresIt() throws Exception {
        RabbitSettings settings = settings(false);
        List<byte[]> received = new CopyOnWriteArrayList<>();
        ClusterChannel channel = new RabbitClusterChannel(settings, "node-1", Platform.system());
        channel.announce(utf8("hello"));
        channel.start(received::add);
        try {
            await().atMost(TIMEOUT).until(() -> channel.status().problem().contains("does not exist"));
            assertThat(channel.status().problem())
                    .contains(settings.clusterExchange(), "rabbit.declare.enabled", "cluster.enabled: false");
            assertThat(new RabbitQueueAdmin(settings, "check", Platform.system())
                            .checkClusterExchange()
                            .isMissing())
                    .isTrue();

            RabbitClusterChannelFixture.declareExchange(broker, settings.clusterExchange());

            await().atMost(TIMEOUT).until(() -> received.size() == 1);
            await().atMost(TIMEOUT).until(() -> channel.status().problem() == null);
            assertThat(new RabbitQueueAdmin(settings, "check", Platform.system())
                            .checkClusterExchange()
                            .exists())
                    .isTrue();
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    @Test
    void saysWhichPermissionsAreMissing() {
        broker.evalOk("rabbit_auth_backend_internal:add_user(<<\"limited\">>, <<\"hush\">>, <<\"test\">>)");
        broker.evalOk("rabbit_auth_backend_internal:set_permissions("
                + "<<\"limited\">>, <<\"/\">>, <<\"^other$\">>, <<\".*\">>, <<\".*\">>, <<\"test\">>)");
        RabbitSettings settings = RabbitTestSettings.of(
                        broker.uri().replaceFirst("guest:guest", "limited:hush"), "own-" + TESTS.incrementAndGet())
                .settings();
        ClusterChannel channel = new RabbitClusterChannel(settings, "node-1", Platform.system());
        try (CapturedLog log = CapturedLog.of(AnnouncementQueue.class)) {
            channel.start(record -> {});

            await().atMost(TIMEOUT).until(() -> channel.status().problem().contains("ACCESS_REFUSED"));
            assertThat(log.messages())
                    .singleElement(as(STRING))
                    .startsWith("Announcing this node failed: ACCESS_REFUSED")
                    .contains("; grant this node configure, write and read on names that start with \""
                            + settings.clusterExchange() + "\", or set cluster.enabled: false");
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    @Test
    void consumesAgainWhenItsQueueIsDeleted() {
        RabbitSettings settings = settings(true);
        List<String> received = new CopyOnWriteArrayList<>();
        ClusterChannel channel = new RabbitClusterChannel(settings, "node-1", Platform.system());
        channel.announce(utf8("before"));
        channel.start(record -> received.add(new String(record, StandardCharsets.UTF_8)));
        try {
            await().atMost(TIMEOUT).until(() -> received.contains("before"));

            broker.deleteQueues(settings.clusterExchange() + ".");

            await().atMost(TIMEOUT).until(() -> {
                channel.announce(utf8("after"));
                return received.contains("after");
            });
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    @Test
    void sendsNothingWhileTheBrokerIsBlocked() {
        List<String> received = new CopyOnWriteArrayList<>();
        ClusterChannel channel = new RabbitClusterChannel(settings(true), "node-1", Platform.system());
        channel.announce(utf8("before"));
        channel.start(record -> received.add(new String(record, StandardCharsets.UTF_8)));
        try {
            await().atMost(TIMEOUT).until(() -> received.contains("before"));
            broker.raiseMemoryAlarm();
            try {
                await().atMost(TIMEOUT).until(() -> {
                    channel.announce(utf8("lost"));
                    return channel.status().problem() != null;
                });
                assertThat(channel.status().problem()).contains("short of memory or disk");
            } finally {
                broker.clearMemoryAlarm();
            }
            await().atMost(TIMEOUT).until(() -> {
                channel.announce(utf8("after"));
                return received.contains("after");
            });
        } finally {
            channel.close(null, Duration.ofSeconds(5));
        }
    }

    private static RabbitSettings settings(boolean declare) {
        return RabbitTestSettings.of(broker.uri(), "own-" + TESTS.incrementAndGet())
                .declare(declare, QueueType.CLASSIC)
                .settings();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
