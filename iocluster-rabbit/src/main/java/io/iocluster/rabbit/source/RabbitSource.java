package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.Connector;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads requests from a queue. Thread-safe. Delegates to the {@link SourceLoop}, and to the {@link SourceChannel} for calls that
 * block on the broker.
 */
public final class RabbitSource implements RequestSource {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitSource.class);
    private static final String NOT_STARTED = "not started";

    private final RabbitSettings settings;
    private final Connector connector;
    private final ResourceAlarm alarm;
    private final Topology topology;

    private volatile Running running;
    private volatile Slots slots = new Slots(300, 300);
    private volatile boolean paused;
    private boolean intakeStopped;
    private boolean closed;

    private record Slots(int calls, int unconfirmed) {}

    private record Running(
            EventLoopThread loop, SourceLoop source, ConnectionSupervisor supervisor, QueueLengthMonitor length) {}

    public RabbitSource(RabbitSettings settings, Connector connector, ResourceAlarm alarm, Topology topology) {
        this.settings = settings;
        this.topology = topology;
        this.connector = connector;
        this.alarm = alarm;
    }

    @Override
    public synchronized void start(Intake intake) {
        if (running != null || closed) {
            throw new IllegalStateException("source was already started or closed");
        }
        EventLoopThread loop = new EventLoopThread("iocluster-rabbit-source");
        SourceLoop source = new SourceLoop(settings, loop, alarm, intake, this::wakeUp);
        source.pause(paused);
        if (intakeStopped) {
            source.stopIntake();
        }
        SourceChannel attachment = new SourceChannel(
                settings,
                topology,
                loop,
                source,
                this::prefetch,
                () -> running.length().latestDepth(),
                this::wakeUp);
        ConnectionSupervisor supervisor = new ConnectionSupervisor(connector, "source", loop, attachment, true);
        Optional<ManagementApi> management =
                settings.management().uris().isEmpty() ? Optional.empty() : Optional.of(new ManagementApi(settings));
        running = new Running(
                loop,
                source,
                supervisor,
                new QueueLengthMonitor(settings, supervisor::connection, management, source::snapshot));
        source.start();
        supervisor.start();
        running.length().start();
    }

    private void wakeUp() {
        Running now = running;
        if (now != null) {
            now.supervisor().wakeUp();
        }
    }

    private Prefetch.PrefetchTarget prefetch() {
        SourceLoop source = running.source();
        if (source.isPaused() || source.isStopping() || source.isBufferFull()) {
            return Prefetch.NONE;
        }
        Slots now = slots;
        return Prefetch.target(settings.requests(), now.calls(), now.unconfirmed(), source.meanMessageBytes());
    }

    @Override
    public void prefetchHint(int calls, int unconfirmed) {
        slots = new Slots(calls, unconfirmed);
        wakeUp();
    }

    @Override
    public void capacityAvailable() {
        Running now = running;
        if (now != null) {
            now.source().capacityAvailable();
        }
    }

    @Override
    public void pause() {
        setPaused(true);
    }

    @Override
    public void resume() {
        setPaused(false);
    }

    private synchronized void setPaused(boolean pause) {
        paused = pause;
        if (running != null) {
            running.source().pause(pause);
            running.supervisor().wakeUp();
        }
    }

    @Override
    public synchronized CompletionStage<Void> stopIntake() {
        intakeStopped = true;
        if (running == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletionStage<Void> stopped = running.source().stopIntake();
        running.supervisor().wakeUp();
        return stopped;
    }

    @Override
    public SourceStatus status() {
        Running now = running;
        if (now == null) {
            Set<PauseReason> reasons = paused ? Set.of(PauseReason.OPERATOR) : Set.of();
            return new SourceStatus(false, NOT_STARTED, reasons, 0, List.of(), 0, 0);
        }
        SourceLoop.SourceSnapshot snapshot = now.source().snapshot();
        Set<PauseReason> reasons = new HashSet<>(snapshot.reasons());
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        if (now.source().isStopping()) {
            reasons.add(PauseReason.DRAIN);
        }
        String problem = now.supervisor().problem() != null
                ? now.supervisor().problem()
                : now.length().problem();
        return new SourceStatus(
                problem == null,
                problem,
                reasons,
                snapshot.buffered(),
                lags(now, snapshot, problem != null),
                now.source().settlements().duplicateSettlements(),
                snapshot.redelivered());
    }

    private List<Lag> lags(Running now, SourceLoop.SourceSnapshot snapshot, boolean hasProblem) {
        QueueLengthMonitor.QueueObservation observed = now.length().latestObservation();
        if (observed == null) {
            return List.of();
        }
        // Since the report of an earlier connection, the deliveries that this node held have returned to the queue.
        boolean stale = hasProblem || observed.connection() != now.supervisor().connection();
        String queue = settings.requests().queue();
        return List.of(QueueLag.of(queue, observed, stale ? null : snapshot, System.currentTimeMillis()));
    }

    @Override
    public void close(Duration within) {
        Running now;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            now = running;
        }
        if (now == null) {
            return;
        }
        long end = System.nanoTime() + within.toNanos();
        now.length().close();
        try {
            now.source().acknowledgeAll().get(within.toMillis() / 2 + 1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Final acknowledgement failed; the latest settled messages will be redelivered", e);
        }
        now.supervisor().close(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
        now.loop().close();
    }
}
