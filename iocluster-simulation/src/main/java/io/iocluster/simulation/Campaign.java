package io.iocluster.simulation;

import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.oracle.Promise;
import io.iocluster.testkit.simulation.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** Runs many seeds on several threads, each seed on one. Thread-safe. */
public final class Campaign {

    private final BrokerKind broker;
    private final Supplier<Wiring> wiring;
    private final int threads;
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong virtualMillis = new AtomicLong();

    /**
     * Creates a campaign.
     *
     * @param wiring of the nodes of one run
     */
    public Campaign(BrokerKind broker, Supplier<Wiring> wiring, int threads) {
        this.broker = broker;
        this.wiring = wiring;
        this.threads = threads;
    }

    /**
     * Runs all seeds until one violates a promise.
     *
     * @param failures gets each violating seed and its run; called on several threads
     * @param all whether to run all seeds anyway
     * @return the smallest violating seed that was found; negative if there is none
     */
    public long run(SeedRange seeds, boolean all, BiConsumer<Long, Run> failures) {
        AtomicLong next = new AtomicLong(seeds.from());
        AtomicLong first = new AtomicLong(Long.MAX_VALUE);
        Runnable work = () -> {
            for (long seed = next.getAndIncrement();
                    seed <= seeds.to() && (all || seed < first.get());
                    seed = next.getAndIncrement()) {
                Run run = Run.of(Schedule.of(seed), broker, wiring.get(), Trace.hashOnly());
                runs.incrementAndGet();
                virtualMillis.addAndGet(run.millis());
                if (!run.violations().isEmpty()) {
                    first.accumulateAndGet(seed, Math::min);
                    failures.accept(seed, run);
                }
            }
        };
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(pool.submit(work));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a run ended with an error", failed.getCause());
        } finally {
            pool.shutdownNow();
        }
        return first.get() == Long.MAX_VALUE ? -1 : first.get();
    }

    /** Returns how many seeds it has run. */
    public long runs() {
        return runs.get();
    }

    /** Returns the virtual time of all runs. */
    public long virtualMillis() {
        return virtualMillis.get();
    }

    /** Returns the smallest part of the schedule that still violates the first promise that the run violated. */
    public Schedule shrink(Schedule schedule, Run violated) {
        Promise promise = violated.violations().get(0).promise();
        return new Shrinker(smaller -> Run.of(smaller, broker, wiring.get(), Trace.hashOnly()).violations().stream()
                        .anyMatch(each -> each.promise() == promise))
                .shrink(schedule);
    }
}
