package io.iocluster.node.warmup;

import io.iocluster.transport.Settlement;
import io.iocluster.transport.SyntheticDelivery;

/** A synthetic message. Its settlement makes room for the next one. */
final class WarmUpDelivery implements SyntheticDelivery, Settlement {

    private final byte[] payload;
    private final long number;
    private final Runnable settled;
    private final long createdMillis;

    WarmUpDelivery(byte[] payload, long number, long createdMillis, Runnable settled) {
        this.payload = payload;
        this.number = number;
        this.createdMillis = createdMillis;
        this.settled = settled;
    }

    @Override
    public byte[] payload() {
        return payload;
    }

    @Override
    public String coordinates() {
        return WarmUpQueue.NAME + "-" + number;
    }

    @Override
    public String queue() {
        return WarmUpQueue.NAME;
    }

    @Override
    public long timestampMillis() {
        return createdMillis;
    }

    @Override
    public Settlement settlement() {
        return this;
    }

    @Override
    public void acknowledge() {
        settled.run();
    }

    @Override
    public void release() {
        settled.run();
    }
}
