package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.PublishResult;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Puts requests on the queue that is read. Any thread may call. */
public final class RabbitRequests implements AutoCloseable {

    private final String queue;
    private final Publisher publisher;

    /** As this client, whose name appears in the broker's lists. */
    public RabbitRequests(RabbitSettings settings, String clientName) {
        this.queue = settings.requests().queue();
        this.publisher = new Publisher(settings, new Connector(settings, clientName), "requests", new Alarm(), true);
        publisher.start();
    }

    /**
     * Enqueues one envelope, without waiting; for as long as the broker is away the stage stays open.
     *
     * @param correlationId null for none
     * @param headers may be empty
     */
    public CompletionStage<PublishResult> send(byte[] envelope, String correlationId, Map<String, byte[]> headers) {
        BasicProperties properties = OutgoingProperties.request(correlationId, headers);
        Publication publication = new Publication("", queue, properties, envelope);
        publisher.post(publication);
        return publication;
    }

    @Override
    public void close() {
        publisher.close();
    }
}
