package io.iocluster.rabbit.client;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.sink.OutgoingProperties;
import io.iocluster.rabbit.sink.PendingPublish;
import io.iocluster.rabbit.sink.RabbitPublisher;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Publishes requests to the request queue. Thread-safe. */
public final class RabbitRequestPublisher implements RequestPublisher {

    private final Platform platform;
    private final String queue;
    private final String brokerAddresses;
    private final AnswerChannel answers;
    private final RabbitPublisher publisher;

    /**
     * Connects to the configured broker.
     *
     * @param clientName part of the connection name
     */
    public RabbitRequestPublisher(RabbitSettings settings, String clientName, Platform platform) {
        this(settings, new Connector(settings, clientName, platform), "requests", null, platform);
    }

    /** @param answers consumed on the same connection, from before the first request is published */
    RabbitRequestPublisher(
            RabbitSettings settings, RabbitConnections connections, AnswerQueue answers, Platform platform) {
        this(settings, connections, "client", answers, platform);
    }

    private RabbitRequestPublisher(
            RabbitSettings settings,
            RabbitConnections connections,
            String role,
            AnswerQueue answerQueue,
            Platform platform) {
        this.platform = platform;
        this.queue = settings.requests().queue();
        this.brokerAddresses = settings.addresses();
        this.answers = answerQueue == null ? null : new AnswerChannel(answerQueue, this::wakeUp, platform);
        this.publisher = new RabbitPublisher(settings, connections, role, new ResourceAlarm(), true, answers, platform);
        publisher.start();
    }

    private void wakeUp() {
        publisher.supervisor().wakeUp();
    }

    /**
     * Returns a consumer of the answers on the same connection. Closing the publisher closes it.
     *
     * @throws IOException if the broker is unreachable; the message is for the operator
     */
    AnswerConsumer answers() throws IOException {
        RabbitAnswerConsumer.awaitAttached(answers, publisher.supervisor(), platform);
        return new RabbitAnswerConsumer(answers, platform);
    }

    @Override
    public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
        Map<String, byte[]> headers = new HashMap<>();
        request.headers().forEach((name, value) -> headers.put(name, value.getBytes(StandardCharsets.UTF_8)));
        BasicProperties properties = OutgoingProperties.request(request.key(), headers, platform.wallMillis());
        if (request.expiry() != null) {
            properties = properties
                    .builder()
                    .expiration(Long.toString(Math.max(1, request.expiry().toMillis())))
                    .build();
        }
        return post(properties, request.envelope());
    }

    /**
     * Publishes one envelope without blocking. The future stays open while the broker is unreachable.
     *
     * @param correlationId null for none
     * @param headers may be empty
     */
    public CompletableFuture<PublishResult> send(byte[] envelope, String correlationId, Map<String, byte[]> headers) {
        return post(OutgoingProperties.request(correlationId, headers, platform.wallMillis()), envelope);
    }

    private CompletableFuture<PublishResult> post(BasicProperties properties, byte[] envelope) {
        PendingPublish publication = new PendingPublish("", queue, properties, envelope);
        publisher.post(publication);
        return publication;
    }

    @Override
    public String brokerAddresses() {
        return brokerAddresses;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
