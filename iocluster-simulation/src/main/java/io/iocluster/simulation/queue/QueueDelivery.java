package io.iocluster.simulation.queue;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;

/** A message that a node has read, and its settlement. */
final class QueueDelivery implements Delivery, Settlement {

    private final QueueSource source;
    private final QueueMessage message;
    private final boolean redelivered;
    private boolean settled;

    QueueDelivery(QueueSource source, QueueMessage message, boolean redelivered) {
        this.source = source;
        this.message = message;
        this.redelivered = redelivered;
    }

    QueueMessage message() {
        return message;
    }

    @Override
    public byte[] payload() {
        return message.payload();
    }

    @Override
    public String header(String name) {
        return message.headers().get(name);
    }

    @Override
    public String correlationId() {
        return null;
    }

    @Override
    public String replyTo() {
        return null;
    }

    @Override
    public String coordinates() {
        return message.coordinates();
    }

    @Override
    public String queue() {
        return "requests";
    }

    @Override
    public boolean isDelayedRetry() {
        return message.delayedRetry();
    }

    @Override
    public boolean isRedelivered() {
        return redelivered;
    }

    @Override
    public long timestampMillis() {
        return message.timestampMillis();
    }

    @Override
    public Settlement settlement() {
        return this;
    }

    @Override
    public void acknowledge() {
        settle(true);
    }

    @Override
    public void release() {
        settle(false);
    }

    private void settle(boolean acknowledged) {
        if (settled) {
            source.settledTwice();
            return;
        }
        settled = true;
        source.settle(message, acknowledged);
    }
}
