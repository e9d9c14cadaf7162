package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.rabbit.source.RabbitSource.IntakeCapacity;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import io.iocluster.transport.source.RunningSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the event loop of a source, its connection and its monitor of the queue. Thread-safe. Delegates to the {@link SourceLoop}, and to the
 * {@link SourceChannel} for calls that block on the broker.
 */
final class RunningRabbitSource implements RunningSource {

    private static final Logger LOG = LoggerFactory.getLogger(RunningRabbitSource.class);

    private final RabbitSettings settings;
    private final Supplier<IntakeCapacity> capacity;
    private final Platform platform;
    private final EventLoopThread loop;
    private final SourceLoop source;
    private final ConnectionSupervisor supervisor;
    private final QueueLengthMonitor length;

    RunningRabbitSource(
            RabbitSettings settings,
            RabbitConnections connections,
            ResourceAlarm alarm,
            Topology topology,
            Intake intake,
            Supplier<IntakeCapacity> capacity,
            Platform platform) {
        this.settings = settings;
        this.capacity = capacity;
        this.platform = platform;
        this.loop = connections.newLoop("iocluster-rabbit-source");
        this.source = new SourceLoop(settings, loop, alarm, intake, this::wakeUp, platform);
        SourceChannel attachment = new SourceChannel(
                settings, topology, loop, source, this::prefetch, this::latestDepth, this::wakeUp, platform);
        this.supervisor = new ConnectionSupervisor(connections, "source", loop, attachment, true, platform);
        Optional<ManagementApi> management = settings.management().uris().isEmpty()
                ? Optional.empty()
                : Optional.of(new ManagementApi(settings, platform::nanos));
        this.length = new QueueLengthMonitor(settings, supervisor::connection, management, source::snapshot, platform);
    }

    @Override
    public void start() {
        source.start();
        supervisor.start();
        length.start();
    }

    /** Makes the supervisor adjust the consumers soon. */
    void wakeUp() {
        supervisor.wakeUp();
    }

    private QueueLengthMonitor.QueueDepth latestDepth() {
        return length.latestDepth();
    }

    private Prefetch.PrefetchTarget prefetch() {
        if (source.isPaused() || source.isStopping() || source.isBufferFull()) {
            return Prefetch.NONE;
        }
        IntakeCapacity now = capacity.get();
        return Prefetch.target(settings.requests(), now.calls(), now.unconfirmed(), source.meanMessageBytes());
    }

    @Override
    public void capacityAvailable() {
        source.capacityAvailable();
    }

    @Override
    public void pause(boolean pause) {
        source.pause(pause);
        wakeUp();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        CompletionStage<Void> stopped = source.stopIntake();
        wakeUp();
        return stopped;
    }

    @Override
    public SourceStatus status(Set<PauseReason> reasons) {
        SourceLoop.SourceSnapshot snapshot = source.snapshot();
        Set<PauseReason> all = new HashSet<>(reasons);
        all.addAll(snapshot.reasons());
        String problem = supervisor.problem() != null ? supervisor.problem() : length.problem();
        return new SourceStatus(
                problem == null,
                problem,
                all,
                snapshot.buffered(),
                lags(snapshot, problem != null),
                source.settlements().duplicateSettlements(),
                snapshot.redelivered(),
                0,
                0,
                0,
                length.unansweredMillis());
    }

    private List<Lag> lags(SourceLoop.SourceSnapshot snapshot, boolean hasProblem) {
        QueueLengthMonitor.QueueObservation observed = length.latestObservation();
        if (observed == null) {
            return List.of();
        }
        // The deliveries of an earlier connection have returned to the queue since it was observed.
        boolean stale = hasProblem || observed.connection() != supervisor.connection();
        String queue = settings.requests().queue();
        return List.of(QueueLag.of(queue, observed, stale ? null : snapshot, platform.wallMillis()));
    }

    @Override
    public void close(Duration timeout) {
        long end = platform.nanos() + timeout.toNanos();
        length.close();
        try {
            if (!platform.await(source.acknowledgeAll(), timeout.dividedBy(2))) {
                LOG.warn("Final acknowledgement timed out; the latest settled messages will be redelivered");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        supervisor.close(Duration.ofNanos(Math.max(1_000_000, end - platform.nanos())));
        loop.close();
    }
}
