package io.iocluster.simulation;

import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.oracle.Promise;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Runs many seeds on several threads, each seed on one. Thread-safe. */
public final class Campaign {

    /** A task that runs for so long does not return. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(2);

    /** How often the campaign looks for a task that does not return: often beside two minutes, rarely beside a run. */
    private static final long LOOK_MILLIS = 1_000;

    /** Spreads the hashes of runs before they are added (Steele, Lea and Flood 2014, SplitMix). */
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private final BrokerKind broker;
    private final Supplier<Wiring> wiring;
    private final int threads;
    private final boolean twice;
    private final LongSupplier nanoTime;
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong virtualMillis = new AtomicLong();
    private final LongAdder hashes = new LongAdder();

    /**
     * Creates a campaign.
     *
     * @param wiring of the nodes of one run
     * @param twice whether to run each seed twice, and compare
     */
    public Campaign(BrokerKind broker, Supplier<Wiring> wiring, int threads, boolean twice) {
        this(broker, wiring, threads, twice, System::nanoTime);
    }

    Campaign(BrokerKind broker, Supplier<Wiring> wiring, int threads, boolean twice, LongSupplier nanoTime) {
        this.broker = broker;
        this.wiring = wiring;
        this.threads = threads;
        this.twice = twice;
        this.nanoTime = nanoTime;
    }

    /** The seeds that are left, and where their results go. */
    private final class Work {

        private final SeedRange seeds;
        private final boolean all;
        private final BiConsumer<Long, Run> results;
        private final AtomicLong next;
        private final AtomicLong first = new AtomicLong(Long.MAX_VALUE);
        private volatile boolean stopped;
        private volatile Throwable failure;

        Work(SeedRange seeds, boolean all, BiConsumer<Long, Run> results) {
            this.seeds = seeds;
            this.all = all;
            this.results = results;
            this.next = new AtomicLong(seeds.from());
        }

        /** Returns the next seed; negative if there is none. */
        long nextSeed() {
            long seed = next.getAndIncrement();
            return stopped || seed > seeds.to() || !all && seed > first.get() ? -1 : seed;
        }

        void ended(long seed, Run run) {
            runs.incrementAndGet();
            virtualMillis.addAndGet(run.millis());
            hashes.add((seed ^ run.hash()) * GOLDEN_GAMMA);
            if (!run.violations().isEmpty()) {
                first.accumulateAndGet(seed, Math::min);
            }
            results.accept(seed, run);
        }
    }

    /** Runs one seed after the other on a thread, and can be looked at meanwhile. */
    private final class Worker extends Thread {

        private final Work work;
        private volatile long seed;
        private volatile Trace trace = Trace.hashOnly();
        private Trace seenTrace;
        private long seenSteps;
        private long seenNanos;

        Worker(Work work, int number) {
            super("simulation-" + number);
            this.work = work;
            setDaemon(true); // A task that does not return must not keep the program alive.
        }

        @Override
        public void run() {
            try {
                for (long next = work.nextSeed(); next >= 0; next = work.nextSeed()) {
                    seed = next;
                    Run run = play(next);
                    if (twice && run.violations().isEmpty()) {
                        run = run.comparedWith(play(next));
                    }
                    work.ended(next, run);
                }
            } catch (Throwable failed) {
                work.failure = new IllegalStateException("seed " + seed + " ended with an error", failed);
                work.stopped = true;
            }
        }

        private Run play(long of) {
            Trace hash = Trace.hashOnly();
            trace = hash;
            return Run.of(Schedule.of(of), broker, wiring.get(), hash);
        }

        /** Returns whether the same task has run for too long. Called on the thread of the campaign. */
        boolean isStuck() {
            Trace now = trace;
            if (now != seenTrace || now.steps() != seenSteps) {
                seenTrace = now;
                seenSteps = now.steps();
                seenNanos = nanoTime.getAsLong();
            }
            return isAlive() && nanoTime.getAsLong() - seenNanos > STUCK_AFTER.toNanos();
        }
    }

    /**
     * Runs all seeds until one violates a promise. A seed whose task does not return ends the campaign.
     *
     * @param results gets each seed and its run; called on several threads
     * @param all whether to run all seeds even after a violation
     * @return the smallest violating seed that was found; negative if there is none
     */
    public long run(SeedRange seeds, boolean all, BiConsumer<Long, Run> results) {
        Work work = new Work(seeds, all, results);
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            workers.add(new Worker(work, i));
        }
        workers.forEach(Thread::start);
        try {
            while (!workers.isEmpty()) {
                workers.get(0).join(LOOK_MILLIS);
                for (Worker stuck : workers.stream().filter(Worker::isStuck).toList()) {
                    work.stopped = true;
                    work.ended(stuck.seed, Run.stuck(stuck.trace, stuck.getStackTrace()));
                    workers.remove(stuck);
                }
                workers.removeIf(worker -> !worker.isAlive());
            }
        } catch (InterruptedException interrupted) {
            work.stopped = true;
            Thread.currentThread().interrupt();
        }
        if (work.failure != null) {
            throw new IllegalStateException(work.failure.getMessage(), work.failure);
        }
        return work.first.get() == Long.MAX_VALUE ? -1 : work.first.get();
    }

    /** Returns how many seeds it has run. */
    public long runs() {
        return runs.get();
    }

    /** Returns a hash of all runs, which does not depend on their order. */
    public long hash() {
        return hashes.sum();
    }

    /** Returns the virtual time of all runs. */
    public long virtualMillis() {
        return virtualMillis.get();
    }

    /** Returns the smallest part of the schedule that still violates the first promise that the run violated. */
    public Schedule shrink(Schedule schedule, Run violated) {
        Promise promise = violated.violations().get(0).promise();
        if (promise == Promise.TERMINATES || promise == Promise.REPEATABLE) {
            return schedule;
        }
        return new Shrinker(smaller -> {
                    List<Violation> violations = Run.of(smaller, broker, wiring.get(), Trace.hashOnly())
                            .violations();
                    return violations.stream().anyMatch(each -> each.promise() == promise);
                })
                .shrink(schedule);
    }
}
