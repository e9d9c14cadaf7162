package io.iocluster.node.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.node.history.HistoryEvent.Kind;
import io.iocluster.node.history.SampleRing.Samples;
import io.iocluster.node.metrics.DestinationAttempts;
import io.iocluster.node.metrics.NodeStats;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.reload.ConfigurationStatus.Reload;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Samples the figures of a node every five seconds and keeps the latest, with the events that explain their steps. Owned by the
 * node. Its state is confined to its own thread, except the samples and events.
 */
public final class HistoryRecorder implements AutoCloseable {

    static final Duration INTERVAL = Duration.ofSeconds(5);
    static final int MAX_EVENTS = 100;

    private final SampleSources node;
    private final DestinationSources destinations;
    private final NodeClock clock;
    private final SampleRing ring;
    private final DestinationHistories histories;
    private final ScheduledExecutorService background;
    private volatile Future<?> repeated;

    /** Oldest first. */
    @GuardedBy("events")
    private final Deque<HistoryEvent> events = new ArrayDeque<>();

    private long previousNanos;
    private NodeStats previousStats;
    private ConfigurationStatus previousConfiguration;
    private int previousThreads;
    private int previousLimit;

    /** Suppliers of the status that the recorder samples. Each is called every few seconds and does not block. */
    public record SampleSources(
            Supplier<PipelineStatus> status, Supplier<NodeStats> stats, Supplier<ConfigurationStatus> configuration) {}

    /** Suppliers of the status of the destinations. Each is called every few seconds and does not block. */
    public record DestinationSources(
            Supplier<List<DestinationStatus>> statuses, Supplier<List<DestinationAttempts>> attempts) {}

    /**
     * Creates a recorder that {@link #start} starts.
     *
     * @param settings how long the node keeps samples, and of how many destinations
     * @param background takes the samples
     */
    public HistoryRecorder(
            SampleSources node,
            DestinationSources destinations,
            AdminSettings settings,
            NodeClock clock,
            ScheduledExecutorService background) {
        this.background = background;
        this.node = node;
        this.destinations = destinations;
        this.clock = clock;
        int capacity = Math.toIntExact(settings.history().dividedBy(INTERVAL));
        this.ring = new SampleRing(capacity, SampleColumn.values().length);
        this.histories = new DestinationHistories(settings.historyDestinations(), capacity);
    }

    /** Records the start of the node, and starts to take samples unless nothing is kept. Call it once. */
    public void start() {
        if (ring.capacity() == 0) {
            return;
        }
        begin();
        long millis = INTERVAL.toMillis();
        repeated = background.scheduleAtFixedRate(this::runOnce, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Records the start of the node. */
    void begin() {
        add(new HistoryEvent(Instant.ofEpochMilli(clock.wallMillis()), Kind.STARTED, ""));
        PipelineStatus status = node.status().get();
        previousNanos = clock.nanos();
        previousStats = node.stats().get();
        previousConfiguration = node.configuration().get();
        previousThreads = status.workers().size();
        previousLimit = status.maxInFlight();
    }

    /** Takes one sample. */
    void runOnce() {
        Instant now = Instant.ofEpochMilli(clock.wallMillis());
        PipelineStatus status = node.status().get();
        NodeStats stats = node.stats().get();
        long nanos = clock.nanos();
        CallRates rates = CallRates.between(previousStats, stats, (nanos - previousNanos) / 1e9);
        ring.add(now.toEpochMilli(), row(status, rates));
        if (!histories.isOff()) {
            histories.add(
                    now.toEpochMilli(),
                    nanos,
                    destinations.statuses().get(),
                    destinations.attempts().get());
        }
        recordConfiguration(now, node.configuration().get());
        recordSize(now, status.workers().size(), status.maxInFlight());
        previousNanos = nanos;
        previousStats = stats;
    }

    private static float[] row(PipelineStatus status, CallRates rates) {
        List<Lag> lags = status.source().lags();
        float[] row = new float[SampleColumn.values().length];
        // Without a lag report, the lag is unknown and not 0.
        row[SampleColumn.LAG.ordinal()] =
                lags.isEmpty() ? Float.NaN : status.source().messages();
        row[SampleColumn.OLDEST_AGE.ordinal()] = lags.isEmpty()
                ? Float.NaN
                : lags.stream().mapToLong(Lag::oldestAgeMillis).max().orElse(0);
        row[SampleColumn.IN_FLIGHT.ordinal()] = status.inFlight();
        row[SampleColumn.IN_FLIGHT_LIMIT.ordinal()] = status.maxInFlight();
        row[SampleColumn.WAITING.ordinal()] = status.waiting();
        row[SampleColumn.CALLS.ordinal()] = (float) rates.callsPerSecond();
        row[SampleColumn.FAILURES.ordinal()] = (float) rates.failuresPerSecond();
        row[SampleColumn.CPU.ordinal()] = (float) rates.cpu();
        row[SampleColumn.P50.ordinal()] = (float) rates.p50Millis();
        row[SampleColumn.P99.ordinal()] = (float) rates.p99Millis();
        return row;
    }

    private void recordConfiguration(Instant now, ConfigurationStatus configuration) {
        Reload last = configuration.lastReload();
        Instant at = last == null ? now : last.at();
        if (configuration.refused() != previousConfiguration.refused()) {
            add(new HistoryEvent(at, Kind.CONFIGURATION_REFUSED, ""));
        }
        if (configuration.applied() != previousConfiguration.applied()) {
            add(new HistoryEvent(at, Kind.CONFIGURATION_APPLIED, ""));
        }
        previousConfiguration = configuration;
    }

    private void recordSize(Instant now, int threads, int limit) {
        if (limit != previousLimit) {
            add(new HistoryEvent(now, Kind.RESIZED, "in flight from " + previousLimit + " to " + limit));
        }
        if (threads != previousThreads) {
            add(new HistoryEvent(now, Kind.RESIZED, "threads from " + previousThreads + " to " + threads));
        }
        previousThreads = threads;
        previousLimit = limit;
    }

    private void add(HistoryEvent event) {
        synchronized (events) {
            events.addLast(event);
            if (events.size() > MAX_EVENTS) {
                events.removeFirst();
            }
        }
    }

    /** Returns the current time of the node. */
    Instant now() {
        return Instant.ofEpochMilli(clock.wallMillis());
    }

    /** Returns the kept samples. */
    Samples samples() {
        return ring.copy();
    }

    /** Returns the kept samples of a destination. */
    Samples samples(String destination) {
        return histories.samples(destination);
    }

    /** Returns the latest events, oldest first. */
    List<HistoryEvent> events() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    @Override
    public void close() {
        Future<?> started = repeated;
        if (started != null) {
            started.cancel(false);
        }
    }
}
