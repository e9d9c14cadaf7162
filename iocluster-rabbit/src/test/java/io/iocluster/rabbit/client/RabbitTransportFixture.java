package io.iocluster.rabbit.client;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.ledger.TestDeliveries;
import io.iocluster.testkit.contract.BrokerMessage;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Unique queues for one test on the broker that all tests of a class share. Owned by one test. */
final class RabbitTransportFixture implements TransportFixture {

    private static final int MAX_ANSWER_BYTES = 20_000;

    private final RabbitBroker broker;
    private final RabbitSettings settings;
    private final String replyTo;
    private final Set<String> delayQueues = new HashSet<>();
    private int nodes;
    private boolean isBrokerDown;

    RabbitTransportFixture(RabbitBroker broker, String name) {
        this.broker = broker;
        this.settings = RabbitTestSettings.of(broker.uri(), name)
                .maxMessageSize(MAX_ANSWER_BYTES)
                .settings();
        this.replyTo = name + ".reply-1";
        new Topology(settings).entities().forEach(entity -> broker.declareQueue(entity.name(), entity.arguments()));
        broker.declareQueue(replyTo, Map.of("x-queue-type", "quorum"));
    }

    @Override
    public Transport newTransport() {
        return new RabbitTransport(settings, "node-" + ++nodes, Platform.system());
    }

    /** Returns a transport that declares its delay queue. */
    @Override
    public Transport newTransport(Duration delay) {
        RabbitSettings withDelay = new RabbitTestSettings(settings).delay(delay).settings();
        delayQueues.addAll(withDelay.delayedQueues());
        return new RabbitTransport(withDelay, "node-" + ++nodes, Platform.system());
    }

    @Override
    public void send(byte[] payload, String correlationId, Map<String, String> headers) {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(2)
                .correlationId(correlationId)
                .headers(new HashMap<>(headers))
                .timestamp(TestDeliveries.date(System.currentTimeMillis()))
                .build();
        broker.publish(settings.requests().queue(), properties, payload);
    }

    @Override
    public List<BrokerMessage> answers() {
        return answersIn(settings.answers().routingKey());
    }

    @Override
    public List<BrokerMessage> answersIn(String queue) {
        return broker.peek(queue).stream().map(RabbitTransportFixture::received).toList();
    }

    @Override
    public List<BrokerMessage> deadLetters() {
        return answersIn(settings.deadLetters().queue());
    }

    private static BrokerMessage received(GetResponse message) {
        Map<String, String> headers = new HashMap<>();
        if (message.getProps().getHeaders() != null) {
            message.getProps().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        }
        return new BrokerMessage(message.getBody(), message.getProps().getCorrelationId(), headers);
    }

    @Override
    public String allowedReplyTo() {
        return replyTo;
    }

    @Override
    public String missingReplyTo() {
        return replyTo + "-missing";
    }

    @Override
    public String forbiddenReplyTo() {
        return settings.requests().queue();
    }

    @Override
    public int oversizedAnswerBytes() {
        return MAX_ANSWER_BYTES + 1;
    }

    @Override
    public boolean canStopBroker() {
        return true;
    }

    @Override
    public void killBroker() {
        broker.kill();
        isBrokerDown = true;
    }

    @Override
    public void restartBroker() {
        broker.start();
        isBrokerDown = false;
    }

    @Override
    public void close() {
        if (isBrokerDown) {
            restartBroker();
        }
        new Topology(settings).entities().forEach(entity -> broker.deleteQueue(entity.name()));
        delayQueues.forEach(broker::deleteQueue);
        broker.deleteQueue(replyTo);
    }
}
