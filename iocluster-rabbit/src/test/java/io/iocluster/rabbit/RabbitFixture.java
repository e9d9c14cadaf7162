package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.iocluster.rabbit.RabbitSettings.QueueType;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.contract.Received;
import io.iocluster.testkit.contract.TransportFixture;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Queues of their own for one test, on a broker that the tests of a class share. Owned by one test. */
final class RabbitFixture implements TransportFixture {

    private static final int LARGEST_ANSWER = 20_000;

    private final RabbitBroker broker;
    private final RabbitSettings settings;
    private final String replyTo;
    private final Set<String> waiting = new HashSet<>();
    private int nodes;
    private boolean away;

    RabbitFixture(RabbitBroker broker, String name, QueueType type) {
        this.broker = broker;
        this.settings = TestSettings.of(broker.uri(), name)
                .declare(true, type)
                .maxMessageSize(LARGEST_ANSWER)
                .settings();
        this.replyTo = name + ".reply-1";
        new Topology(settings).places().forEach(place -> broker.declareQueue(place.name(), place.arguments()));
        broker.declareQueue(replyTo, Map.of("x-queue-type", type.name().toLowerCase(java.util.Locale.ROOT)));
    }

    @Override
    public Transport newTransport() {
        return new RabbitTransport(settings, "node-" + ++nodes);
    }

    /** The node declares what is missing. */
    @Override
    public Transport newTransport(Duration delay) {
        RabbitSettings delaying = new TestSettings(settings).delay(delay).settings();
        waiting.addAll(delaying.delayedQueues());
        return new RabbitTransport(delaying, "node-" + ++nodes);
    }

    @Override
    public void send(byte[] payload, String correlation, Map<String, String> headers) {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(2)
                .correlationId(correlation)
                .headers(new HashMap<>(headers))
                .timestamp(Deliveries.date(System.currentTimeMillis()))
                .build();
        broker.publish(settings.requests().queue(), properties, payload);
    }

    @Override
    public List<Received> answers() {
        return answersAt(settings.answers().routingKey());
    }

    @Override
    public List<Received> answersAt(String place) {
        return broker.read(place).stream().map(RabbitFixture::received).toList();
    }

    @Override
    public List<Received> deadLetters() {
        return answersAt(settings.deadLetters().queue());
    }

    private static Received received(GetResponse message) {
        Map<String, String> headers = new HashMap<>();
        if (message.getProps().getHeaders() != null) {
            message.getProps().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
        }
        return new Received(message.getBody(), message.getProps().getCorrelationId(), headers);
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
    public int oversize() {
        return LARGEST_ANSWER + 1;
    }

    @Override
    public boolean brokerCanGo() {
        return true;
    }

    @Override
    public void brokerAway() {
        broker.kill();
        away = true;
    }

    @Override
    public void brokerBack() {
        broker.start();
        away = false;
    }

    @Override
    public void close() {
        if (away) {
            brokerBack();
        }
        new Topology(settings).places().forEach(place -> broker.deleteQueue(place.name()));
        waiting.forEach(broker::deleteQueue);
        broker.deleteQueue(replyTo);
    }
}
