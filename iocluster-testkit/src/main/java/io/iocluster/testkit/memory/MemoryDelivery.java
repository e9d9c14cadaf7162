package io.iocluster.testkit.memory;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;

/** One delivery of a message. Immutable except for its settlement. */
record MemoryDelivery(MemoryMessage message, Settlement settlement, boolean isRedelivered) implements Delivery {

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
        return message.correlationId();
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
        return MemoryQueue.NAME;
    }

    @Override
    public boolean isDelayedRetry() {
        return message.delayedRetry();
    }

    @Override
    public long timestampMillis() {
        return message.timestampMillis();
    }
}
