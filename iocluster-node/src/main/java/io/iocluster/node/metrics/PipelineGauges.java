package io.iocluster.node.metrics;

import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Gauges of the pipeline, updated at each scrape. Not thread-safe: {@link NodeMetrics} calls it under its lock. */
final class PipelineGauges {

    private final MeterRegistry registry;
    private final MultiGauge lag;
    private final MultiGauge lagSeconds;
    private final MultiGauge lagStale;
    private final MultiGauge openTransaction;
    private final MultiGauge workers;
    private final MultiGauge paused;
    private volatile PipelineStatus latest;

    PipelineGauges(MeterRegistry registry) {
        this.registry = registry;
        gauge("iocluster.in.flight", "Calls in flight", PipelineStatus::inFlight);
        gauge("iocluster.in.flight.limit", "Maximum calls in flight", PipelineStatus::maxInFlight);
        gauge("iocluster.in.flight.bytes", "Bytes held by calls and answers", PipelineStatus::inFlightBytes);
        gauge(
                "iocluster.unconfirmed",
                "Calls that have ended and whose answers are not confirmed",
                PipelineStatus::unconfirmed);
        gauge(
                "iocluster.answers.waiting",
                "Unconfirmed answers to reply topics or queues that are slow or refuse them",
                PipelineStatus::waitingAnswers);
        gauge(
                "iocluster.waiting",
                "Calls that have been read and have not started, because of a limit",
                PipelineStatus::waiting);
        gauge(
                "iocluster.workers",
                "Event loops that make calls",
                status -> status.workers().size());
        connections("active", WorkerStatus::activeConnections);
        connections("idle", WorkerStatus::idleConnections);
        gauge(
                "iocluster.connection.hosts",
                "Targets (scheme, host and port) with a pooled HTTP/1.1 connection, counted by each worker",
                status -> status.workers().stream()
                        .mapToDouble(WorkerStatus::pooledHosts)
                        .sum());
        gauge(
                "iocluster.source.connected",
                "Whether the broker answers",
                status -> status.source().connected() ? 1 : 0);
        FunctionCounter.builder(
                        "iocluster.redelivered",
                        this,
                        gauges -> gauges.read(status -> status.source().redelivered()))
                .description("Messages known to be redelivered, or read again after a release")
                .register(registry);
        FunctionCounter.builder(
                        "iocluster.commit.metadata.truncated",
                        this,
                        gauges -> gauges.read(status -> status.source().truncatedCommitMetadata()))
                .description("Offset commits with truncated metadata, because the broker's limit is too small")
                .register(registry);
        FunctionCounter.builder(
                        "iocluster.acknowledgements.failed",
                        this,
                        gauges -> gauges.read(status -> status.source().failedAcknowledgements()))
                .description("Messages whose acknowledgement the broker refused, so that it delivers them again")
                .register(registry);
        lag = rows("iocluster.consumer.lag", "Unsettled messages");
        lagSeconds = rows("iocluster.consumer.lag.seconds", "Age of the oldest unsettled message");
        lagStale = rows(
                "iocluster.consumer.lag.stale",
                "Whether the lag is the last known value, because the broker does not answer");
        openTransaction = rows(
                "iocluster.open.transaction.seconds",
                "Time that an open transaction has blocked a partition, 0 if none does");
        workers = rows("iocluster.worker.in.flight", "Calls in flight of one worker");
        paused = rows(
                "iocluster.source.paused", "Whether the node reads nothing, or less than it could, for this reason");
    }

    private void gauge(String name, String description, ToDoubleFunction<PipelineStatus> value) {
        Gauge.builder(name, this, gauges -> gauges.read(value))
                .description(description)
                .register(registry);
    }

    private void connections(String state, ToDoubleFunction<WorkerStatus> value) {
        ToDoubleFunction<PipelineStatus> sum =
                status -> status.workers().stream().mapToDouble(value).sum();
        Gauge.builder("iocluster.connections", this, gauges -> gauges.read(sum))
                .description("Connections to targets")
                .tag("state", state)
                .register(registry);
    }

    private MultiGauge rows(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private double read(ToDoubleFunction<PipelineStatus> value) {
        PipelineStatus status = latest;
        return status == null ? Double.NaN : value.applyAsDouble(status);
    }

    /** Replaces all rows; partitions and workers that are no longer listed lose their rows. */
    void update(PipelineStatus status) {
        latest = status;
        SourceStatus source = status.source();
        lag.register(
                source.lags().stream()
                        .map(each -> Row.of(lagTags(status.transport(), each), each.messages()))
                        .toList(),
                true);
        lagSeconds.register(
                oldest(source.lags()).entrySet().stream()
                        .map(each -> Row.of(
                                Tags.of("transport", status.transport(), "queue", each.getKey()),
                                each.getValue() / 1_000.0))
                        .toList(),
                true);
        lagStale.register(
                source.lags().stream()
                        .map(each -> Row.of(lagTags(status.transport(), each), each.stale() ? 1 : 0))
                        .toList(),
                true);
        openTransaction.register(
                source.lags().stream()
                        .map(each -> Row.of(lagTags(status.transport(), each), each.openTransactionMillis() / 1_000.0))
                        .toList(),
                true);
        workers.register(
                status.workers().stream()
                        .map(each -> Row.of(Tags.of("worker", each.name()), each.inFlight()))
                        .toList(),
                true);
        paused.register(
                Stream.of(PauseReason.values())
                        .map(reason -> Row.of(
                                Tags.of("reason", reason.wireName()),
                                source.pauseReasons().contains(reason) ? 1 : 0))
                        .toList(),
                true);
    }

    private static Tags lagTags(String transport, Lag lag) {
        Tags tags = Tags.of("transport", transport, "queue", lag.queue());
        return lag.partition() == null
                ? tags
                : tags.and("partition", lag.partition().toString());
    }

    private static Map<String, Long> oldest(List<Lag> lags) {
        Map<String, Long> oldest = new TreeMap<>();
        lags.forEach(lag -> oldest.merge(lag.queue(), lag.oldestAgeMillis(), Math::max));
        return oldest;
    }
}
