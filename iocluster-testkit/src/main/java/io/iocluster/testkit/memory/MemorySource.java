package io.iocluster.testkit.memory;

import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads a {@link MemoryBroker}. Thread-safe: its state is confined to its own thread, to which other threads post
 * tasks; flags that {@link #status} reads are volatile.
 */
final class MemorySource implements RequestSource {

    /** The name of the request queue. */
    static final String QUEUE = "memory";

    private final MemoryBroker broker;
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> DaemonThreadFactory.newThread("memory-source", task));

    @SuppressWarnings("UnnecessaryLambda") // removeListener needs the same object as addListener.
    private final Runnable pump = () -> post(this::pump);

    private final Map<String, MemoryMessage> unsettled = new LinkedHashMap<>();
    /** The coordinates of messages that were released. */
    private final Set<String> released = new HashSet<>();

    private final AtomicLong duplicateSettlements = new AtomicLong();
    private final AtomicLong redelivered = new AtomicLong();
    private MemoryDelivery refused;
    private volatile Intake intake;
    private volatile boolean full;
    private volatile boolean capacityFreed;
    private volatile boolean paused;
    private volatile boolean stopped;

    MemorySource(MemoryBroker broker) {
        this.broker = broker;
    }

    @Override
    public synchronized void start(Intake intake) {
        if (this.intake != null) {
            throw new IllegalStateException("already started");
        }
        this.intake = intake;
        broker.addListener(pump);
        pump.run();
    }

    @Override
    public void capacityAvailable() {
        capacityFreed = true;
        if (full) {
            post(() -> {
                full = false;
                pump();
            });
        }
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        pump.run();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        stopped = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!post(() -> done.complete(null))) {
            done.complete(null);
        }
        return done;
    }

    @Override
    public SourceStatus status() {
        boolean connected = intake != null && !broker.isOffline();
        Set<PauseReason> reasons = new TreeSet<>();
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        if (full) {
            reasons.add(PauseReason.BACKPRESSURE);
        }
        if (stopped) {
            reasons.add(PauseReason.DRAIN);
        }
        return new SourceStatus(
                connected,
                connected ? null : "the broker is unreachable",
                reasons,
                full ? 1 : 0,
                List.of(new SourceStatus.Lag(
                        QUEUE,
                        null,
                        broker.readyCount() + broker.unsettledCount(),
                        broker.oldestAgeMillis(System.currentTimeMillis()),
                        !connected)),
                duplicateSettlements.get(),
                redelivered.get());
    }

    @Override
    public void close(Duration timeout) {
        stopped = true;
        broker.removeListener(pump);
        post(this::requeueAll);
        executor.shutdown();
        try {
            if (!executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void settle(MemoryMessage message, boolean acknowledged) {
        post(() -> {
            if (unsettled.remove(message.coordinates()) == null) {
                return;
            }
            if (acknowledged) {
                released.remove(message.coordinates());
                broker.acknowledge(message);
            } else {
                released.add(message.coordinates());
                redelivered.incrementAndGet();
                broker.requeue(message);
            }
        });
    }

    void recordDuplicateSettlement() {
        duplicateSettlements.incrementAndGet();
    }

    private void pump() {
        while (!full && !paused && !stopped && !broker.isOffline()) {
            MemoryDelivery next = refused == null ? poll() : refused;
            refused = null;
            if (next == null) {
                return;
            }
            capacityFreed = false;
            if (!intake.offer(next)) {
                refused = next;
                full = true;
                // Capacity that became available between the refusal and full = true did not post a pump.
                full = !capacityFreed;
            }
        }
    }

    private MemoryDelivery poll() {
        MemoryMessage message = broker.poll();
        if (message == null) {
            return null;
        }
        unsettled.put(message.coordinates(), message);
        return new MemoryDelivery(
                message, new MemorySettlement(this, message), released.contains(message.coordinates()));
    }

    private void requeueAll() {
        unsettled.values().forEach(broker::requeue);
        unsettled.clear();
    }

    private boolean post(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }
}
