package io.iocluster.testkit.memory;

import io.iocluster.transport.Settlement;
import io.iocluster.transport.SyntheticDelivery;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One delivery of a message. Reports its first settlement to its queue, and each further one as a duplicate. Thread-safe.
 *
 * @param settled whether it is settled; false at first
 */
record MemoryDelivery(MemoryMessage message, boolean isRedelivered, MemoryQueue source, AtomicBoolean settled)
        implements SyntheticDelivery, Settlement {

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
        if (settled.compareAndSet(false, true)) {
            source.settle(message, acknowledged);
        } else {
            source.recordDuplicateSettlement();
        }
    }
}
