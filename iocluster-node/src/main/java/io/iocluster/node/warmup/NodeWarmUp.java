package io.iocluster.node.warmup;

import io.iocluster.pipeline.Pipeline;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warms up the JVM: sends synthetic calls through a pipeline with a loopback target until their latency stops falling. The pipeline has
 * its own settings, egress policy, destinations and workers, and neither the node's metrics nor its tracing. So the calls leave nothing
 * behind in the node, and no envelope of a producer can reach the target. Thread-safe.
 */
public final class NodeWarmUp {

    private static final Logger LOG = LoggerFactory.getLogger(NodeWarmUp.class);

    private static final Duration WINDOW = Duration.ofMillis(250);

    /** The latency is flat if it has not improved for a second, because the JIT compilers pause for less. */
    private static final int FLAT_WINDOWS = 4;

    /** A smaller improvement is within the noise of a busy machine. */
    private static final double IMPROVEMENT = 0.1;

    /** With fewer calls, the JIT compilers have not compiled the path of a call, and a flat latency says nothing. */
    private static final long MIN_CALLS = 5_000;

    /** After this many failures and no response, the loopback target cannot be reached, and further calls do not help. */
    private static final long MAX_FAILURES = WarmUpQueue.OPEN_MESSAGES;

    /** Longest wait for the open calls, which take some milliseconds each. Then they are abandoned. */
    private static final Duration FINISH_TIMEOUT = Duration.ofSeconds(1);

    /** Longest wait of a closing node for the end of its warm-up. */
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);

    private final Supplier<WarmUpTarget> targets;
    private final Platform platform;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean running;

    NodeWarmUp(Supplier<WarmUpTarget> targets, Platform platform) {
        this.targets = targets;
        this.platform = platform;
    }

    /** Creates a warm-up, which starts nothing until {@link #run}. */
    public static NodeWarmUp create(Platform platform) {
        return new NodeWarmUp(WarmUpTarget::new, platform);
    }

    /**
     * Makes calls and blocks until their latency is flat, the time is over, or {@link #stop} is called. A failure is only logged, because
     * a cold node is better than none. Call it once.
     *
     * @param limit zero to do nothing
     * @param workers number of the node's workers; the warm-up has no more than the machine has cores
     */
    public void run(Duration limit, int workers) {
        running = !limit.isZero();
        try {
            if (running && stopped.getCount() > 0) {
                warmUp(limit, Math.min(workers, Runtime.getRuntime().availableProcessors()));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Throwable failed) {
            LOG.warn("Warm-up failed; the node starts cold", failed);
        } finally {
            running = false;
            ended.countDown();
        }
    }

    /** Returns whether calls are made at this moment. */
    public boolean isRunning() {
        return running;
    }

    /** Ends the warm-up at once, without waiting for its end. A later {@link #run} makes no calls. */
    public void stop() {
        stopped.countDown();
    }

    /** Waits until a stopped warm-up has released its threads, its connections and its port. */
    public void awaitEnd() {
        try {
            if (running && !ended.await(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Warm-up did not end in time; closing the node timeout={}", DurationText.format(END_TIMEOUT));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void warmUp(Duration limit, int workers) throws InterruptedException {
        long start = platform.nanos();
        try (WarmUpTarget target = targets.get()) {
            WarmUpQueue queue = new WarmUpQueue(WarmUpCalls.envelopes(target), platform);
            WarmUpLatency latency = new WarmUpLatency();
            try (Pipeline pipeline = new Pipeline(
                    WarmUpCalls.settings(target, workers), queue.transport(), latency, Tracing.OFF, platform)) {
                pipeline.start();
                makeCalls(latency, start, limit);
                queue.finish(FINISH_TIMEOUT);
            }
        }
    }

    private void makeCalls(WarmUpLatency latency, long start, Duration limit) throws InterruptedException {
        LatencyTrend trend = new LatencyTrend(FLAT_WINDOWS, IMPROVEMENT);
        long calls = 0;
        Histogram first = null;
        Histogram last = null;
        while (!(trend.isFlat() && calls >= MIN_CALLS) && platform.nanos() - start < limit.toNanos()) {
            if (stopped.await(WINDOW.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            Histogram window = latency.next();
            calls += window.getTotalCount();
            if (window.getTotalCount() > 0) {
                first = first == null ? window : first;
                last = window;
                trend.add(window.getValueAtPercentile(50));
            } else if (first == null && latency.failures() >= MAX_FAILURES) {
                break;
            }
        }
        log(start, calls, first, last);
    }

    private void log(long start, long calls, Histogram first, Histogram last) {
        if (first == null) {
            LOG.warn("Warm-up failed because the loopback target answered no call; the node starts cold");
            return;
        }
        LOG.info(
                "Warm-up finished took={} calls={} firstP50={}ms firstP99={}ms p50={}ms p99={}ms",
                DurationText.format(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(platform.nanos() - start))),
                calls,
                first.getValueAtPercentile(50) / 1e3,
                first.getValueAtPercentile(99) / 1e3,
                last.getValueAtPercentile(50) / 1e3,
                last.getValueAtPercentile(99) / 1e3);
    }
}
