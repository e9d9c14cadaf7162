package io.iocluster.testkit.contract;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A node cut down to its intake: keeps what it is handed until the test settles it. Safe for several threads. */
final class ContractNode implements AutoCloseable {

    private final Transport transport;
    private final List<Delivery> taken = new CopyOnWriteArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refusals = new AtomicInteger();
    private volatile int room = Integer.MAX_VALUE;
    private volatile boolean acknowledging;
    private boolean closed;

    ContractNode(Transport transport) {
        this.transport = transport;
    }

    /** Takes only so many deliveries until {@link #removeLimit}. */
    ContractNode withCapacity(int deliveries) {
        room = deliveries;
        return this;
    }

    /** Acknowledges each delivery as soon as it comes. */
    ContractNode acknowledgingAll() {
        acknowledging = true;
        return this;
    }

    ContractNode start() {
        transport.sink().start();
        transport.source().start(this::offer);
        return this;
    }

    void removeLimit() {
        room = Integer.MAX_VALUE;
        transport.source().capacityAvailable();
    }

    Transport transport() {
        return transport;
    }

    /** All deliveries so far, in the order they came. */
    List<Delivery> received() {
        return List.copyOf(taken);
    }

    /** The payloads of all deliveries so far, in the order they came. */
    List<String> payloads() {
        return taken.stream()
                .map(delivery -> new String(delivery.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    int rejectedOffers() {
        return refusals.get();
    }

    /** The threads on which the intake was called. */
    Set<Thread> threads() {
        return Set.copyOf(threads);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            transport.source().close(Duration.ofSeconds(10));
            transport.sink().close();
        }
    }

    private boolean offer(Delivery delivery) {
        threads.add(Thread.currentThread());
        if (taken.size() >= room) {
            refusals.incrementAndGet();
            return false;
        }
        taken.add(delivery);
        if (acknowledging) {
            delivery.settlement().acknowledge();
        }
        return true;
    }
}
