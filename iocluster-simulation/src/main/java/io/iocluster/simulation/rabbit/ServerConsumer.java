package io.iocluster.simulation.rabbit;

/** A consumer of a channel. Confined to the thread of the simulation. */
final class ServerConsumer {

    private final ServerChannel channel;
    private final BrokerQueue queue;
    private final String tag;
    private final int prefetch;
    private final boolean autoAck;
    private int unacknowledged;

    /** @param prefetch maximum number of unacknowledged messages of this consumer; 0 for no limit */
    ServerConsumer(ServerChannel channel, BrokerQueue queue, String tag, int prefetch, boolean autoAck) {
        this.channel = channel;
        this.queue = queue;
        this.tag = tag;
        this.prefetch = prefetch;
        this.autoAck = autoAck;
    }

    String tag() {
        return tag;
    }

    BrokerQueue queue() {
        return queue;
    }

    boolean hasRoom() {
        return prefetch == 0 || autoAck || unacknowledged < prefetch;
    }

    void deliver(StoredMessage message) {
        if (autoAck) {
            queue.acknowledged();
        } else {
            unacknowledged++;
        }
        channel.deliver(this, message, autoAck);
    }

    void settled() {
        unacknowledged--;
    }

    /** Cancels it on behalf of the broker. */
    void cancel() {
        channel.cancelled(this);
    }
}
