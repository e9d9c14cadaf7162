package io.iocluster.rabbit.cluster;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.testkit.contract.ClusterChannelFixture;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.cluster.ClusterChannel;

/** An exchange of announcements for one test, which the channels declare. Owned by one test. */
final class RabbitClusterChannelFixture implements ClusterChannelFixture {

    private final RabbitBroker broker;
    private final RabbitSettings settings;
    private boolean killed;

    RabbitClusterChannelFixture(RabbitBroker broker, String name) {
        this.broker = broker;
        this.settings = RabbitTestSettings.of(broker.uri(), name)
                .declare(true, QueueType.CLASSIC)
                .settings();
    }

    @Override
    public ClusterChannel newChannel(String nodeId) {
        return new RabbitClusterChannel(settings, nodeId, Platform.system());
    }

    @Override
    public void publish(byte[] record) {
        publishMany(record, 1);
    }

    @Override
    public void publishMany(byte[] record, int count) {
        onChannel(broker, channel -> {
            channel.confirmSelect();
            for (int i = 0; i < count; i++) {
                channel.basicPublish(settings.clusterExchange(), "", null, record);
            }
            channel.waitForConfirmsOrDie(30_000);
        });
    }

    /** Declares a fanout exchange as an operator would. */
    static void declareExchange(RabbitBroker broker, String exchange) {
        onChannel(broker, channel -> channel.exchangeDeclare(exchange, BuiltinExchangeType.FANOUT, true));
    }

    @FunctionalInterface
    private interface ChannelUse {
        void run(Channel channel) throws Exception;
    }

    private static void onChannel(RabbitBroker broker, ChannelUse use) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(broker.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                use.run(channel);
            }
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void killBroker() {
        broker.kill();
        killed = true;
    }

    @Override
    public void restartBroker() {
        broker.start();
        killed = false;
    }

    @Override
    public void close() {
        if (killed) {
            restartBroker();
        }
    }
}
