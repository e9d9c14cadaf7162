package io.iocluster.testkit.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Runs the tasks of all simulated processes in one thread on virtual time. The seed decides the order of tasks that are ready at the same
 * time and everything else that is random, so that a seed always gives the same run. Confined to one thread.
 *
 * <p>This is discrete event simulation: the task with the smallest time runs next, and the clock jumps to its time.
 */
public final class Simulation {

    /** With more tasks in a virtual second, tasks start each other for ever. A busy second has some ten thousand. */
    private static final long MAX_TASKS_IN_SECOND = 300_000;

    private static final long MAX_TASKS = 20_000_000;

    private static final long SECOND_NANOS = 1_000_000_000;

    /** Wall clock at the start of each simulation, 2025-06-15T15:06:40Z. */
    public static final long START_MILLIS = 1_750_000_000_000L;

    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Trace trace;
    private long nanos = 1;
    private long executed;
    private long secondEndNanos = SECOND_NANOS;
    private long executedBeforeSecond;
    private EndlessRun endless;
    private SimulatedLoop currentLoop;
    private final List<String> defects = new ArrayList<>();

    private record Event(long atNanos, long order, SimulatedProcess process, Runnable task)
            implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Creates a simulation without processes. */
    public Simulation(long seed, Trace trace) {
        this.random = new SplittableRandom(seed);
        this.trace = trace;
    }

    /** Returns the random numbers of the simulated world: brokers, networks and faults. */
    public SplittableRandom random() {
        return random;
    }

    /** Returns the virtual time since the start in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    /** Returns the virtual time since the start in milliseconds. */
    public long millis() {
        return nanos / 1_000_000;
    }

    /** Returns how many tasks have run. */
    public long executed() {
        return executed;
    }

    /** Records that a task of a process threw what it should have caught. */
    void reportDefect(SimulatedProcess process, Throwable defect) {
        defects.add(process.name() + ": " + defect + " at "
                + List.of(defect.getStackTrace()).stream().limit(3).toList());
        trace.add(process.name(), () -> "uncaught: " + defect);
    }

    /** Returns the exceptions and errors that no code of a process caught. */
    public List<String> defects() {
        return List.copyOf(defects);
    }

    /** Returns the trace of the run. */
    public Trace trace() {
        return trace;
    }

    /** Runs a task of the world, which no process can stop, after this time. */
    public void after(Duration delay, Runnable task) {
        after(delay.toNanos(), null, task);
    }

    /** Runs a task of a process after this time, unless the process is killed before. */
    void after(long delayNanos, SimulatedProcess process, Runnable task) {
        events.add(new Event(nanos + Math.max(0, delayNanos), random.nextLong(), process, task));
    }

    /** Returns the loop whose task runs now; null if no loop runs. */
    public SimulatedLoop currentLoop() {
        return currentLoop;
    }

    void setCurrentLoop(SimulatedLoop loop) {
        currentLoop = loop;
    }

    /** Runs all tasks that are due within this time, and lets the time pass. */
    public void run(Duration time) {
        runUntil(nanos + time.toNanos());
    }

    private void runUntil(long endNanos) {
        while (!events.isEmpty() && events.peek().atNanos() <= endNanos) {
            runNext();
        }
        nanos = Math.max(nanos, endNanos);
    }

    /**
     * Runs the next task if it is due until then.
     *
     * @return false if there is none; the time has then passed
     */
    boolean runNextUntil(long endNanos) {
        if (events.isEmpty() || events.peek().atNanos() > endNanos) {
            nanos = Math.max(nanos, endNanos);
            return false;
        }
        runNext();
        return true;
    }

    /**
     * Counts a task. A task that another one runs at once must be counted too.
     *
     * @throws EndlessRun if there are too many in this virtual second, or in the run
     */
    void countTask() {
        executed++;
        if (nanos >= secondEndNanos) {
            secondEndNanos = nanos + SECOND_NANOS;
            executedBeforeSecond = executed;
        }
        if (endless == null && (executed - executedBeforeSecond > MAX_TASKS_IN_SECOND || executed > MAX_TASKS)) {
            endless = new EndlessRun(executed - executedBeforeSecond + " tasks in a second and " + executed
                    + " in all, at " + millis() + " ms");
        }
        if (endless != null) {
            throw endless;
        }
    }

    private void runNext() {
        Event next = events.remove();
        nanos = Math.max(nanos, next.atNanos());
        SimulatedProcess process = next.process();
        if (process != null) {
            if (!process.isAlive()) {
                return;
            }
            long wait = process.pausedNanos();
            if (wait > 0) {
                events.add(new Event(nanos + wait, next.order(), process, next.task()));
                return;
            }
        }
        countTask();
        trace.step(nanos, next.order());
        SimulatedLoop outer = currentLoop;
        currentLoop = null;
        try {
            next.task().run();
        } catch (ProcessKilled killed) {
            // The stack of a killed process ends here.
        } catch (Exception | LinkageError | AssertionError defect) {
            if (process == null) {
                throw defect;
            }
            reportDefect(process, defect);
        } finally {
            currentLoop = outer;
        }
    }
}
