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

/** A node reduced to its intake: keeps deliveries until the test settles them. Thread-safe. */
final class ContractNode implements AutoCloseable {

    private final Transport transport;
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicInteger rejectedOffers = new AtomicInteger();
    private volatile int capacity = Integer.MAX_VALUE;
    private volatile boolean acknowledging;
    private boolean closed;

    ContractNode(Transport transport) {
        this.transport = transport;
    }

    /** Limits the number of accepted deliveries until {@link #removeLimit}. */
    ContractNode withCapacity(int deliveries) {
        capacity = deliveries;
        return this;
    }

    /** Acknowledges each delivery at once. */
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
        capacity = Integer.MAX_VALUE;
        transport.source().capacityAvailable();
    }

    Transport transport() {
        return transport;
    }

    /** Returns all accepted deliveries, in order. */
    List<Delivery> received() {
        return List.copyOf(received);
    }

    /** Returns the payloads of all accepted deliveries, in order. */
    List<String> payloads() {
        return received.stream()
                .map(delivery -> new String(delivery.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    int rejectedOffers() {
        return rejectedOffers.get();
    }

    /** Returns the threads on which the intake was called. */
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
        if (received.size() >= capacity) {
            rejectedOffers.incrementAndGet();
            return false;
        }
        received.add(delivery);
        if (acknowledging) {
            delivery.settlement().acknowledge();
        }
        return true;
    }
}
