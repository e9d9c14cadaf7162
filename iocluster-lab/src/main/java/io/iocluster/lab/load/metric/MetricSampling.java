package io.iocluster.lab.load.metric;

import io.iocluster.lab.load.metric.MetricReader.Reading;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/** Reads the metrics in intervals on its own thread. Thread-safe. */
public final class MetricSampling implements AutoCloseable {

    private static final int MAX_SAMPLES = 20_000;

    /** Leaves room for what happens after the phases. */
    private static final int MAX_PLANNED_SAMPLES = MAX_SAMPLES * 9 / 10;

    private static final int MAX_SERIES = 200;
    private static final long CLOSE_SECONDS = 10;

    private final MetricReader reader;
    private final DoubleSupplier seconds;
    private final Consumer<String> messages;
    private final Map<String, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();
    private final ScheduledExecutorService thread = DaemonThreadFactory.newScheduler("load-metrics");
    private boolean failed;
    private boolean full;

    /**
     * Creates a sampling that is not started.
     *
     * @param seconds the time since the start of the run
     * @param messages receives the first error, and what is left out
     */
    public MetricSampling(MetricReader reader, DoubleSupplier seconds, Consumer<String> messages) {
        this.reader = reader;
        this.seconds = seconds;
        this.messages = messages;
    }

    /**
     * Starts to read the metrics.
     *
     * @param interval between two readings; longer in a run that is so long that the samples would not fit into memory
     * @param planned how long the run takes, as far as known
     */
    public void start(Duration interval, Duration planned) {
        Duration shortest = planned.dividedBy(MAX_PLANNED_SAMPLES);
        if (interval.compareTo(shortest) < 0) {
            messages.accept("metrics are read every " + DurationText.format(shortest) + " instead of every "
                    + DurationText.format(interval) + ", because the run is long");
        }
        Duration used = interval.compareTo(shortest) < 0 ? shortest : interval;
        thread.scheduleAtFixedRate(this::read, 0, used.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Reads all metrics once. */
    public void read() {
        double at = seconds.getAsDouble();
        try {
            add(at, reader.read());
        } catch (IOException unreadable) {
            report(unreadable.getMessage());
        } catch (RuntimeException defect) {
            // The executor would end the readings without a word.
            report(defect.toString());
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void add(double at, List<Reading> readings) {
        for (Reading reading : readings) {
            if (samples.size() >= MAX_SERIES && !samples.containsKey(reading.name())) {
                reportFull("there are more than " + MAX_SERIES + " metrics; the others are left out");
                continue;
            }
            units.put(reading.name(), reading.unit());
            List<Sample> series = samples.computeIfAbsent(reading.name(), any -> new ArrayList<>());
            if (series.size() < MAX_SAMPLES) {
                series.add(new Sample(at, reading.value()));
            } else {
                reportFull("there are " + MAX_SAMPLES
                        + " samples of a metric; later ones are left out, so choose a longer metrics-interval");
            }
        }
    }

    /** Moves the start of the run to this time, so that the samples until now are before it. */
    public synchronized void moveStart(double toSeconds) {
        samples.replaceAll((name, series) -> series.stream()
                .map(sample -> new Sample(sample.seconds() - toSeconds, sample.value()))
                .collect(Collectors.toCollection(ArrayList::new)));
    }

    private void reportFull(String problem) {
        if (!full) {
            full = true;
            messages.accept(problem);
        }
    }

    private synchronized void report(String problem) {
        if (!failed) {
            failed = true;
            messages.accept("cannot read metrics: " + problem);
        }
    }

    /** Returns the last value of a metric; null if there is none. */
    public synchronized Double latest(String name) {
        List<Sample> series = samples.get(name);
        return series == null
                ? null
                : Double.valueOf(series.get(series.size() - 1).value());
    }

    public synchronized List<MetricSeries> series() {
        List<MetricSeries> all = new ArrayList<>();
        samples.forEach((name, values) -> all.add(new MetricSeries(name, units.get(name), values)));
        return all;
    }

    /** Reads the metrics for the last time and ends the thread. */
    @Override
    public void close() {
        thread.execute(this::read);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
