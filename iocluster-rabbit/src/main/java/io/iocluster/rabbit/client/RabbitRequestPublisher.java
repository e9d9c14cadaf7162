package io.iocluster.rabbit.client;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.sink.OutgoingProperties;
import io.iocluster.rabbit.sink.PendingPublish;
import io.iocluster.rabbit.sink.RabbitPublisher;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Puts requests on the queue that is read. Any thread may call. */
public final class RabbitRequestPublisher implements RequestPublisher {

    private final String queue;
    private final AnswerChannel answers;
    private final RabbitPublisher publisher;

    /** As this client, whose name appears in the broker's lists. */
    public RabbitRequestPublisher(RabbitSettings settings, String clientName) {
        this(settings, clientName, "requests", null);
    }

    /** With answers that come in on the same connection; there before anything is published. */
    RabbitRequestPublisher(RabbitSettings settings, String clientName, AnswerQueue answers) {
        this(settings, clientName, "client", answers);
    }

    private RabbitRequestPublisher(RabbitSettings settings, String clientName, String role, AnswerQueue place) {
        this.queue = settings.requests().queue();
        this.answers = place == null ? null : new AnswerChannel(place, this::nudge);
        this.publisher = new RabbitPublisher(
                settings, new Connector(settings, clientName), role, new ResourceAlarm(), true, answers);
        publisher.start();
    }

    private void nudge() {
        publisher.link().wakeUp();
    }

    /**
     * The answers that come in beside; ends with this.
     *
     * @throws IOException if the broker is away; the message is for people
     */
    AnswerConsumer answers() throws IOException {
        RabbitAnswerConsumer.awaitFirst(answers, publisher.link());
        return new RabbitAnswerConsumer(answers);
    }

    @Override
    public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
        Map<String, byte[]> headers = new HashMap<>();
        request.headers().forEach((name, value) -> headers.put(name, value.getBytes(StandardCharsets.UTF_8)));
        BasicProperties properties = OutgoingProperties.request(request.key(), headers);
        if (request.expiry() != null) {
            properties = properties
                    .builder()
                    .expiration(Long.toString(Math.max(1, request.expiry().toMillis())))
                    .build();
        }
        return post(properties, request.envelope());
    }

    /**
     * Enqueues one envelope, without waiting; for as long as the broker is away the stage stays open.
     *
     * @param correlationId null for none
     * @param headers may be empty
     */
    public CompletableFuture<PublishResult> send(byte[] envelope, String correlationId, Map<String, byte[]> headers) {
        return post(OutgoingProperties.request(correlationId, headers), envelope);
    }

    private CompletableFuture<PublishResult> post(BasicProperties properties, byte[] envelope) {
        PendingPublish publication = new PendingPublish("", queue, properties, envelope);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
