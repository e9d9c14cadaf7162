package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers, and their supervision one for one: one that dies is replaced, and the calls that it had are answered or made
 * by its successor. Calls are dispatched on any thread; the list changes under a lock and is read without one.
 */
final class WorkerPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);
    private static final long SUPERVISION_MILLIS = 500;
    private static final long TICK_MILLIS = 10;

    private final WorkerFactory factory;
    private final PipelineEvents events;
    private final ScheduledExecutorService supervisor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "iocluster-supervisor");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicLong replaced = new AtomicLong();

    @GuardedBy("this")
    private final List<Worker> retired = new ArrayList<>();

    @GuardedBy("this")
    private int named;

    @GuardedBy("this")
    private boolean closed;

    private volatile Duration stallTimeout;
    private volatile List<Worker> workers = List.of();

    WorkerPool(WorkerFactory factory, Duration stallTimeout, PipelineEvents events) {
        this.factory = factory;
        this.stallTimeout = stallTimeout;
        this.events = events;
    }

    /**
     * Starts so many workers.
     *
     * @param tick run on the supervisor's thread, a few milliseconds after each time that it ended
     */
    void start(int threads, Runnable tick) {
        resize(threads);
        supervisor.scheduleWithFixedDelay(tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        supervisor.scheduleWithFixedDelay(
                this::supervise, SUPERVISION_MILLIS, SUPERVISION_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Gives the call to the worker with the fewest under way. */
    void dispatch(Call call) {
        while (!least().submit(call)) {
            Thread.onSpinWait(); // It died just now, and its successor stands in the list already.
        }
    }

    private Worker least() {
        List<Worker> now = workers;
        Worker least = now.get(0);
        for (int i = 1; i < now.size(); i++) {
            Worker worker = now.get(i);
            if (worker.inFlight() < least.inFlight()) {
                least = worker;
            }
        }
        return least;
    }

    /**
     * Grows by new workers, or shrinks by retiring those with the fewest calls, which they still finish.
     *
     * @throws RuntimeException if the machine has no room for so many; then nothing has changed
     */
    synchronized void resize(int threads) {
        if (closed) {
            return;
        }
        List<Worker> next = new ArrayList<>(workers);
        next.addAll(newWorkers(threads - next.size()));
        while (next.size() > threads) {
            Worker idlest = next.stream()
                    .min((a, b) -> Integer.compare(a.inFlight(), b.inFlight()))
                    .orElseThrow();
            next.remove(idlest);
            retired.add(idlest);
        }
        workers = List.copyOf(next);
    }

    /**
     * Puts a new worker in the place of each; those that were there finish the calls that they have.
     *
     * @throws RuntimeException if the machine has no room for so many; then nothing has changed
     */
    synchronized void renew() {
        if (closed) {
            return;
        }
        List<Worker> next = newWorkers(workers.size());
        retired.addAll(workers);
        workers = List.copyOf(next);
    }

    @GuardedBy("this")
    private List<Worker> newWorkers(int count) {
        List<Worker> made = new ArrayList<>();
        try {
            while (made.size() < count) {
                made.add(newWorker());
            }
            return made;
        } catch (RuntimeException noRoom) {
            made.forEach(Worker::close);
            throw noRoom;
        }
    }

    /** Replaces from now on a worker whose event loop does not turn for this long. */
    void replaceStalledAfter(Duration timeout) {
        stallTimeout = timeout;
    }

    /**
     * Waits until every attempt has begun that was due before, where nothing more becomes due.
     *
     * @return false if that takes longer, for a loop is stalled
     */
    boolean awaitBegun(Duration within) {
        long end = System.nanoTime() + within.toNanos();
        try {
            supervisor.submit(() -> {}).get(within.toNanos(), TimeUnit.NANOSECONDS);
            // What a loop does now may give a call to another loop: after the second round that has begun too.
            for (int round = 0; round < 2; round++) {
                CompletableFuture.allOf(
                                everyWorker().stream().map(Worker::turned).toArray(CompletableFuture[]::new))
                        .get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (TimeoutException stalled) {
            return false;
        } catch (RejectedExecutionException closing) {
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException bug) {
            throw new IllegalStateException("defect while attempts were awaited", bug.getCause());
        }
    }

    @GuardedBy("this")
    private Worker newWorker() {
        return factory.create("worker-" + ++named);
    }

    private void supervise() {
        try {
            replaceTheDead();
            closeTheSpent();
        } catch (RuntimeException bug) {
            LOG.error("defect in the supervision of workers", bug);
        }
    }

    private void replaceTheDead() {
        for (Worker worker : workers) {
            if (worker.isDead(stallTimeout)) {
                List<Call> untouched = replace(worker);
                untouched.forEach(this::dispatch);
            } else {
                worker.beat();
            }
        }
    }

    private List<Call> replace(Worker dead) {
        synchronized (this) {
            if (closed || !workers.contains(dead)) {
                return List.of();
            }
            List<Worker> next = new ArrayList<>(workers);
            Worker successor = newWorker();
            next.set(next.indexOf(dead), successor);
            workers = List.copyOf(next);
            LOG.error("{} died with {} calls; {} replaces it", dead.name(), dead.inFlight(), successor.name());
        }
        replaced.incrementAndGet();
        events.workerReplaced(dead.name());
        return dead.bury();
    }

    private synchronized void closeTheSpent() {
        for (Worker worker : List.copyOf(retired)) {
            if (worker.inFlight() == 0 || worker.isDead(stallTimeout)) {
                retired.remove(worker);
                worker.bury().forEach(this::dispatch);
            } else {
                worker.beat();
            }
        }
    }

    List<Worker> workers() {
        return workers;
    }

    long replaced() {
        return replaced.get();
    }

    /** Gives back every call that has no result yet. */
    void releaseAll() {
        everyWorker().forEach(Worker::releaseAll);
    }

    private synchronized List<Worker> everyWorker() {
        List<Worker> all = new ArrayList<>(workers);
        all.addAll(retired);
        return all;
    }

    /** Ends the supervision and every worker, whatever they still do. */
    @Override
    public void close() {
        supervisor.shutdownNow();
        synchronized (this) {
            closed = true;
        }
        everyWorker().forEach(Worker::close);
    }
}
