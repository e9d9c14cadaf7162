package io.iocluster.lab.bench.broker;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.Map;

/** Publishes persistent envelopes to a queue, with publisher confirms. */
final class RabbitEnvelopeWriter implements EnvelopeWriter {

    private static final int PERSISTENT = 2;

    private final RabbitBenchChannel link;
    private final String queue;
    private long sent;

    RabbitEnvelopeWriter(String uri, String queue) {
        this.link = new RabbitBenchChannel(uri);
        this.queue = queue;
        link.execute(channel -> channel.confirmSelect());
    }

    @Override
    public void send(String url, long dueNanos) {
        BasicProperties properties = new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .headers(Map.of(DUE, dueNanos))
                .build();
        byte[] envelope = EnvelopeWriter.envelope(sent++, url);
        link.execute(channel -> {
            channel.basicPublish("", queue, properties, envelope);
            return null;
        });
    }

    @Override
    public void flush() {
        if (!link.execute(channel -> channel.waitForConfirms())) {
            throw new IllegalStateException("cannot enqueue");
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
