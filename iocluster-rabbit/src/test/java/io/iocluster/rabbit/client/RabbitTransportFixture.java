package io.iocluster.rabbit.client;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.ledger.TestDeliveries;
import io.iocluster.testkit.contract.BrokerMessage;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Queues of their own for one test, on a broker that the tests of a class share. Owned by one test. */
final class RabbitTransportFixture implements TransportFixture {

    private static final int LARGEST_ANSWER = 20_000;

    private final RabbitBroker broker;
    private final RabbitSettings settings;
    private final String replyTo;
    private final Set<String> waiting = new HashSet<>();
    private int nodes;
    private boolean away;

    RabbitTransportFixture(RabbitBroker broker, String name, QueueType type) {
        this.broker = broker;
        this.settings = RabbitTestSettings.of(broker.uri(), name)
                .declare(true, type)
                .maxMessageSize(LARGEST_ANSWER)
                .settings();
        this.replyTo = name + ".reply-1";
        new Topology(settings).entities().forEach(place -> broker.declareQueue(place.name(), place.arguments()));
        broker.declareQueue(replyTo, Map.of("x-queue-type", type.name().toLowerCase(java.util.Locale.ROOT)));
    }

    @Override
    public Transport newTransport() {
        return new RabbitTransport(settings, "node-" + ++nodes);
    }

    /** The node declares what is missing. */
    @Override
    public Transport newTransport(Duration delay) {
        RabbitSettings delaying = new RabbitTestSettings(settings).delay(delay).settings();
        waiting.addAll(delaying.delayedQueues());
        return new RabbitTransport(delaying, "node-" + ++nodes);
    }

    @Override
    public void send(byte[] payload, String correlation, Map<String, String> headers) {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(2)
                .correlationId(correlation)
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
    public List<BrokerMessage> answersIn(String place) {
        return broker.peek(place).stream().map(RabbitTransportFixture::received).toList();
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
        return LARGEST_ANSWER + 1;
    }

    @Override
    public boolean canStopBroker() {
        return true;
    }

    @Override
    public void killBroker() {
        broker.kill();
        away = true;
    }

    @Override
    public void restartBroker() {
        broker.start();
        away = false;
    }

    @Override
    public void close() {
        if (away) {
            restartBroker();
        }
        new Topology(settings).entities().forEach(place -> broker.deleteQueue(place.name()));
        waiting.forEach(broker::deleteQueue);
        broker.deleteQueue(replyTo);
    }
}
