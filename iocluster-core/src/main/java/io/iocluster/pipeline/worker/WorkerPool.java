package io.iocluster.pipeline.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.log.LogThrottle;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the workers and replaces each one that dies: the dead worker's calls are answered or made by another worker. Thread-safe: calls
 * are dispatched on any thread; the list of workers changes under a lock and is read without one.
 */
public final class WorkerPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);
    private static final long SUPERVISION_MILLIS = 500;

    private final WorkerFactory factory;
    private final PipelineEvents events;
    private final Platform platform;
    private final ScheduledExecutorService supervisor;
    private final AtomicLong replaced = new AtomicLong();
    private final LogThrottle startFailureLog;

    @GuardedBy("this")
    private final List<Worker> retired = new ArrayList<>();

    @GuardedBy("this")
    private int createdWorkers;

    /** Target number of workers. There are fewer while the machine cannot start more. */
    @GuardedBy("this")
    private int targetSize;

    @GuardedBy("this")
    private boolean closed;

    /** Whether every call is released. */
    private volatile boolean releasing;

    private volatile Duration stallTimeout;
    private volatile List<Worker> workers = List.of();

    public WorkerPool(WorkerFactory factory, Duration stallTimeout, PipelineEvents events, Platform platform) {
        this.factory = factory;
        this.stallTimeout = stallTimeout;
        this.events = events;
        this.platform = platform;
        this.supervisor = platform.newScheduler("iocluster-supervisor");
        this.startFailureLog = new LogThrottle(LOG, platform::nanos);
    }

    /** Starts this many workers and their supervision. */
    public void start(int threads) {
        resize(threads);
        scheduleEvery(SUPERVISION_MILLIS, new GuardedTask("supervision", this::supervise, platform));
    }

    /**
     * Runs tasks one after the other on the supervisor's thread repeatedly, with this delay between runs. One timer for several tasks wakes
     * the thread once for all.
     */
    public void scheduleEvery(long millis, GuardedTask... tasks) {
        List<GuardedTask> all = List.of(tasks);
        supervisor.scheduleWithFixedDelay(() -> all.forEach(GuardedTask::run), millis, millis, TimeUnit.MILLISECONDS);
    }

    /**
     * Requests a heartbeat of every loop. Supervisor's thread only, every {@value LoopHeartbeat#INTERVAL_MILLIS} ms.
     *
     * @return whether a loop is late
     */
    public boolean heartbeat() {
        boolean late = false;
        for (Worker worker : allWorkers()) {
            worker.heartbeat().beat();
            late |= worker.heartbeat().isLate();
        }
        return late;
    }

    /** Submits the call to the worker with the fewest calls. Never throws. */
    public void dispatch(Call call) {
        try {
            while (!leastLoaded().submit(call)) {
                Thread.onSpinWait(); // The worker was just evicted, and its successor is already in the list.
            }
            if (releasing) { // The others may have been released before this one was submitted.
                releaseAll();
            }
        } catch (Throwable bug) {
            call.failWithDefect(bug);
        }
    }

    /** Runs a task on the event loop of the worker with the fewest calls, with its executor. Does nothing if that loop is dead. */
    public void execute(Consumer<HttpExecutor> task) {
        leastLoaded().execute(task);
    }

    private Worker leastLoaded() {
        List<Worker> now = workers;
        Worker leastLoaded = now.get(0);
        for (int i = 1; i < now.size(); i++) {
            Worker worker = now.get(i);
            if (worker.inFlight() < leastLoaded.inFlight()) {
                leastLoaded = worker;
            }
        }
        return leastLoaded;
    }

    /**
     * Adds workers, or retires those with the fewest calls. Retired workers finish their calls.
     *
     * @throws RuntimeException if the machine cannot start that many; then nothing has changed
     */
    public synchronized void resize(int threads) {
        if (closed) {
            return;
        }
        List<Worker> next = new ArrayList<>(workers);
        next.addAll(newWorkers(threads - next.size()));
        targetSize = threads;
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
     * Replaces each worker by a new one. The old workers finish their calls.
     *
     * @throws RuntimeException if the machine cannot start that many; then nothing has changed
     */
    public synchronized void replaceAll() {
        if (closed) {
            return;
        }
        List<Worker> next = newWorkers(targetSize);
        retired.addAll(workers);
        workers = List.copyOf(next);
        LOG.info("Connection settings changed; each worker has a successor and stops after its last call");
    }

    @GuardedBy("this")
    private List<Worker> newWorkers(int count) {
        List<Worker> made = new ArrayList<>();
        try {
            while (made.size() < count) {
                made.add(newWorker());
            }
            return made;
        } catch (Throwable noCapacity) {
            made.forEach(Worker::close);
            throw noCapacity;
        }
    }

    /** Sets how long an event loop may fail to respond before its worker is replaced. */
    public void setStallTimeout(Duration timeout) {
        stallTimeout = timeout;
    }

    /**
     * Waits until every attempt that was due has started. The caller makes sure that no further one becomes due.
     *
     * @return false if that takes longer, because a loop is stalled
     */
    public boolean awaitStarted(Duration within) {
        long end = platform.nanos() + within.toNanos();
        try {
            if (!platform.await(supervisor.submit(() -> {}), within)) {
                return false;
            }
            // A loop may submit a call to another loop in the first round; that call has started after the second
            // round.
            for (int round = 0; round < 2; round++) {
                CompletableFuture<Void> started = CompletableFuture.allOf(allWorkers().stream()
                        .map(Worker::whenSubmittedCallsStarted)
                        .toArray(CompletableFuture[]::new));
                if (!platform.await(started, Duration.ofNanos(end - platform.nanos()))) {
                    return false;
                }
            }
            return true;
        } catch (RejectedExecutionException closing) {
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @GuardedBy("this")
    private Worker newWorker() {
        return factory.create("worker-" + ++createdWorkers);
    }

    private void supervise() {
        replaceDeadWorkers();
        regrow();
        closeFinishedWorkers();
    }

    private void replaceDeadWorkers() {
        long heartbeats = maxMissedHeartbeats();
        for (Worker worker : workers) {
            if (worker.heartbeat().isDead(heartbeats)) {
                replace(worker).forEach(worker::requeue);
            }
        }
    }

    /** Counted in heartbeats and not in time, so that a pause of the whole node replaces no worker. */
    private long maxMissedHeartbeats() {
        return Math.max(1, stallTimeout.toMillis() / LoopHeartbeat.INTERVAL_MILLIS);
    }

    /**
     * Replaces a dead worker. If no successor can be created, the other workers take over its calls. The last worker stays in the
     * list with the calls that it has not started, until a successor can be created.
     */
    private List<Call> replace(Worker dead) {
        boolean keep = false;
        synchronized (this) {
            if (closed || !workers.contains(dead)) {
                return List.of();
            }
            List<Worker> next = new ArrayList<>(workers);
            Worker successor = newWorkerIfPossible();
            if (successor != null) {
                next.set(next.indexOf(dead), successor);
                LOG.error(
                        "Worker died worker={} calls={} successor={}", dead.name(), dead.inFlight(), successor.name());
            } else if (next.size() > 1) {
                next.remove(dead);
            } else {
                keep = true;
            }
            workers = List.copyOf(next);
        }
        if (keep) {
            dead.failLostCalls();
            return List.of();
        }
        replaced.incrementAndGet();
        events.workerReplaced(dead.name());
        return dead.evict();
    }

    /** Creates the successors that could not be created before. */
    private synchronized void regrow() {
        List<Worker> next = new ArrayList<>(workers);
        while (!closed && next.size() < targetSize) {
            Worker late = newWorkerIfPossible();
            if (late == null) {
                break;
            }
            next.add(late);
        }
        if (next.size() > workers.size()) {
            workers = List.copyOf(next);
        }
    }

    /** Returns null if the machine cannot start one. */
    @GuardedBy("this")
    private Worker newWorkerIfPossible() {
        try {
            return newWorker();
        } catch (Throwable noCapacity) {
            startFailureLog.error("Worker cannot be replaced now; retrying", noCapacity);
            return null;
        }
    }

    private void closeFinishedWorkers() {
        // Without the lock, because an evicted call is answered or submitted to another worker.
        finishedWorkers().forEach(worker -> worker.evict().forEach(worker::requeue));
    }

    /** Removes the retired workers that have no calls or are dead, and returns them. */
    private synchronized List<Worker> finishedWorkers() {
        long heartbeats = maxMissedHeartbeats();
        List<Worker> finished = new ArrayList<>();
        for (Worker worker : retired) {
            if (worker.inFlight() == 0 || worker.heartbeat().isDead(heartbeats)) {
                finished.add(worker);
            }
        }
        retired.removeAll(finished);
        return finished;
    }

    public List<Worker> workers() {
        return workers;
    }

    public long replacedWorkers() {
        return replaced.get();
    }

    /** Releases every call that has no result yet, and each that is dispatched from now on, because the node stops. */
    public void releaseAll() {
        releasing = true;
        allWorkers().forEach(Worker::releaseAll);
    }

    private synchronized List<Worker> allWorkers() {
        List<Worker> all = new ArrayList<>(workers);
        all.addAll(retired);
        return all;
    }

    /** Stops the supervision and closes every worker, even those with open calls. */
    @Override
    public void close() {
        supervisor.shutdownNow();
        synchronized (this) {
            closed = true;
        }
        allWorkers().forEach(Worker::close);
    }
}
