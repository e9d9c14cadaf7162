package io.iocluster.testkit.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.inprocess.InProcessQueue;
import io.iocluster.transport.inprocess.InProcessSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** The connection of one source with a {@link MemoryBroker}: knows the messages that it has not settled. Thread-safe. */
final class MemoryQueue implements InProcessQueue<MemoryDelivery> {

    /** The name of the request queue. */
    static final String NAME = "memory";

    private final MemoryBroker broker;

    @GuardedBy("this")
    private final Map<String, MemoryMessage> unsettled = new LinkedHashMap<>();

    /** The coordinates of messages that were released. */
    @GuardedBy("this")
    private final Set<String> released = new HashSet<>();

    @GuardedBy("this")
    private long duplicateSettlements;

    @GuardedBy("this")
    private long redelivered;

    private final InProcessSource<MemoryDelivery> source =
            new InProcessSource<>("memory-source", this, Platform.system());

    @SuppressWarnings("UnnecessaryLambda") // removeListener needs the same object as addListener.
    private final Runnable wakeUp = source::wake;

    MemoryQueue(MemoryBroker broker) {
        this.broker = broker;
        broker.addListener(wakeUp);
    }

    RequestSource source() {
        return source;
    }

    @Override
    public synchronized MemoryDelivery poll() {
        MemoryMessage message = broker.poll();
        if (message == null) {
            return null;
        }
        unsettled.put(message.coordinates(), message);
        return new MemoryDelivery(message, released.contains(message.coordinates()), this, new AtomicBoolean());
    }

    @Override
    public synchronized void giveBack(MemoryDelivery delivery) {
        unsettled.remove(delivery.coordinates());
        broker.requeue(delivery.message());
    }

    synchronized void settle(MemoryMessage message, boolean acknowledged) {
        if (unsettled.remove(message.coordinates()) == null) {
            return;
        }
        if (acknowledged) {
            released.remove(message.coordinates());
            broker.acknowledge(message);
        } else {
            released.add(message.coordinates());
            redelivered++;
            broker.requeue(message);
        }
    }

    synchronized void recordDuplicateSettlement() {
        duplicateSettlements++;
    }

    @Override
    public synchronized SourceStatus status(boolean running, Set<PauseReason> reasons, boolean refused) {
        boolean connected = running && !broker.isOffline();
        if (refused) {
            reasons.add(PauseReason.BACKPRESSURE);
        }
        return new SourceStatus(
                connected,
                connected ? null : "the broker is unreachable",
                reasons,
                refused ? 1 : 0,
                List.of(new SourceStatus.Lag(
                        NAME,
                        null,
                        broker.readyCount() + broker.unsettledCount(),
                        broker.oldestAgeMillis(System.currentTimeMillis()),
                        !connected)),
                duplicateSettlements,
                redelivered);
    }

    @Override
    public synchronized void close() {
        broker.removeListener(wakeUp);
        unsettled.values().forEach(broker::requeue);
        unsettled.clear();
    }
}
