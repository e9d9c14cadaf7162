package io.iocluster.testkit.memory;

import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
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
 * Reads a {@link MemoryBroker}. Its state is confined to its one thread, which others reach by posting to it; flags that a
 * status shows are volatile.
 */
final class MemorySource implements RequestSource {

    /** The one queue there is. */
    static final String QUEUE = "memory";

    private final MemoryBroker broker;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "memory-source");
        created.setDaemon(true);
        return created;
    });

    @SuppressWarnings("UnnecessaryLambda") // The broker forgets the very object that it was given.
    private final Runnable pump = () -> post(this::pump);

    private final Map<String, MemoryMessage> open = new LinkedHashMap<>();
    private final AtomicLong strayed = new AtomicLong();
    private final AtomicLong redelivered = new AtomicLong();
    private MemoryDelivery refused;
    private volatile Intake intake;
    private volatile boolean full;
    private volatile boolean freed;
    private volatile boolean paused;
    private volatile boolean stopped;

    MemorySource(MemoryBroker broker) {
        this.broker = broker;
    }

    @Override
    public synchronized void start(Intake to) {
        if (intake != null) {
            throw new IllegalStateException("started already");
        }
        intake = to;
        broker.addListener(pump);
        pump.run();
    }

    @Override
    public void capacityAvailable() {
        freed = true;
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
                connected ? null : "the broker is away",
                reasons,
                full ? 1 : 0,
                List.of(new SourceStatus.Lag(
                        QUEUE,
                        null,
                        broker.readyCount() + broker.unsettledCount(),
                        broker.oldestAgeMillis(System.currentTimeMillis()),
                        !connected)),
                strayed.get(),
                redelivered.get());
    }

    @Override
    public void close(Duration within) {
        stopped = true;
        broker.removeListener(pump);
        post(this::giveBackAll);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(within.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void settled(MemoryMessage message, boolean done) {
        post(() -> {
            if (open.remove(message.coordinates()) == null) {
                return;
            }
            if (done) {
                broker.acknowledge(message);
            } else {
                redelivered.incrementAndGet();
                broker.requeue(message);
            }
        });
    }

    void recordDuplicateSettlement() {
        strayed.incrementAndGet();
    }

    private void pump() {
        while (!full && !paused && !stopped && !broker.isOffline()) {
            MemoryDelivery next = refused == null ? take() : refused;
            refused = null;
            if (next == null) {
                return;
            }
            freed = false;
            if (!intake.offer(next)) {
                refused = next;
                full = true;
                // Room that was freed between the refusal and here found no one to wake.
                full = !freed;
            }
        }
    }

    private MemoryDelivery take() {
        MemoryMessage message = broker.poll();
        if (message == null) {
            return null;
        }
        open.put(message.coordinates(), message);
        return new MemoryDelivery(message, new MemorySettlement(this, message));
    }

    private void giveBackAll() {
        open.values().forEach(broker::requeue);
        open.clear();
    }

    private boolean post(Runnable task) {
        try {
            thread.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }
}
