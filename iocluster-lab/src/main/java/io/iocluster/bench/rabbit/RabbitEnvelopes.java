package io.iocluster.bench.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.bench.queue.Envelopes;
import java.util.Map;

/** Puts envelopes on a queue, persistent and confirmed. */
final class RabbitEnvelopes implements Envelopes {

    /** Holds the instant a call was due. */
    static final String DUE = "bench-due";

    private static final int PERSISTENT = 2;

    private final RabbitLink link;
    private final String queue;
    private long sent;

    RabbitEnvelopes(String uri, String queue) {
        this.link = new RabbitLink(uri);
        this.queue = queue;
        link.on(channel -> channel.confirmSelect());
    }

    @Override
    public void send(String url, long dueNanos) {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .headers(Map.of(DUE, dueNanos))
                .build();
        byte[] envelope = Envelopes.envelope(sent++, url);
        link.on(channel -> {
            channel.basicPublish("", queue, properties, envelope);
            return null;
        });
    }

    @Override
    public void flush() {
        if (!link.on(channel -> channel.waitForConfirms())) {
            throw new IllegalStateException("cannot enqueue");
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
