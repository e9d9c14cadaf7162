package io.iocluster.lab.load.metric;

import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Reads probes at the same time, each with a timeout, so that one that hangs does not hide the others. Says once that a probe
 * failed, and once that it is back. Confined to one thread.
 */
final class ProbeReader implements AutoCloseable {

    private final ExecutorService threads = Executors.newCachedThreadPool(new DaemonThreadFactory("load-metrics"));
    private final List<Probe> probes;
    private final Duration timeout;
    private final Consumer<String> problems;
    private final Map<Probe, Future<Map<String, Double>>> running = new LinkedHashMap<>();
    private final Set<Probe> failing = new HashSet<>();

    /**
     * @param timeout maximum time of one reading; a probe that takes longer is left out until it has ended
     * @param problems receives messages for the user
     */
    ProbeReader(List<Probe> probes, Duration timeout, Consumer<String> problems) {
        this.probes = List.copyOf(probes);
        this.timeout = timeout;
        this.problems = problems;
    }

    /** Returns the figures of each probe that could be read. */
    Map<Probe, Map<String, Double>> read() throws InterruptedException {
        List<Probe> started = new ArrayList<>();
        for (Probe probe : probes) {
            Future<Map<String, Double>> earlier = running.get(probe);
            if (earlier == null || earlier.isDone()) {
                running.put(probe, threads.submit(probe::read));
                started.add(probe);
            }
        }
        Map<Probe, Map<String, Double>> figures = new LinkedHashMap<>();
        long end = System.nanoTime() + timeout.toNanos();
        for (Probe probe : started) {
            try {
                figures.put(probe, running.get(probe).get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS));
                recovered(probe);
            } catch (TimeoutException late) {
                failed(probe, "no answer within " + timeout.toMillis() + " ms");
            } catch (ExecutionException failure) {
                failed(probe, reason(failure.getCause()));
            }
        }
        return figures;
    }

    private static String reason(Throwable failure) {
        return failure instanceof IOException && failure.getMessage() != null
                ? failure.getMessage()
                : failure.toString();
    }

    private void failed(Probe probe, String reason) {
        if (failing.add(probe)) {
            problems.accept(probe.name() + " cannot be read: " + reason);
        }
    }

    private void recovered(Probe probe) {
        if (failing.remove(probe)) {
            problems.accept(probe.name() + " can be read again");
        }
    }

    /** Returns whether a probe could not be read the last time. */
    boolean isFailing() {
        return !failing.isEmpty();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
