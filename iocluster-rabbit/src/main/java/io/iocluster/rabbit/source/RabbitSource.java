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
 * Reads requests from a queue. Its work is the {@link SourceLoop}'s, and the {@link SourceChannel}'s where the broker is waited for;
 * this is how others reach both.
 */
public final class RabbitSource implements RequestSource {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitSource.class);
    private static final String NOT_STARTED = "not started";

    private final RabbitSettings settings;
    private final Connector connector;
    private final ResourceAlarm alarm;
    private final Topology topology;

    private volatile Running running;
    private volatile Window window = new Window(300, 300);
    private volatile boolean paused;
    private boolean stopped;
    private boolean closed;

    private record Window(int calls, int unconfirmed) {}

    private record Running(
            EventLoopThread loop, SourceLoop source, ConnectionSupervisor link, QueueLengthMonitor length) {}

    public RabbitSource(RabbitSettings settings, Connector connector, ResourceAlarm alarm, Topology topology) {
        this.settings = settings;
        this.topology = topology;
        this.connector = connector;
        this.alarm = alarm;
    }

    @Override
    public synchronized void start(Intake intake) {
        if (running != null || closed) {
            throw new IllegalStateException("a source starts once");
        }
        EventLoopThread loop = new EventLoopThread("iocluster-rabbit-source");
        SourceLoop source = new SourceLoop(settings, loop, alarm, intake, this::nudge);
        source.pause(paused);
        if (stopped) {
            source.stopIntake();
        }
        SourceChannel attachment = new SourceChannel(
                settings,
                topology,
                loop,
                source,
                this::prefetch,
                () -> running.length().latestDepth(),
                this::nudge);
        ConnectionSupervisor link = new ConnectionSupervisor(connector, "source", loop, attachment, true);
        Optional<ManagementApi> management =
                settings.management().uris().isEmpty() ? Optional.empty() : Optional.of(new ManagementApi(settings));
        running = new Running(
                loop, source, link, new QueueLengthMonitor(settings, link::connection, management, source::snapshot));
        source.start();
        link.start();
        running.length().start();
    }

    private void nudge() {
        Running now = running;
        if (now != null) {
            now.link().wakeUp();
        }
    }

    private Prefetch.PrefetchTarget prefetch() {
        SourceLoop source = running.source();
        if (source.isPaused() || source.isStopping() || source.isBufferFull()) {
            return Prefetch.NONE;
        }
        Window now = window;
        return Prefetch.target(settings.requests(), now.calls(), now.unconfirmed(), source.meanMessageBytes());
    }

    @Override
    public void prefetchHint(int calls, int unconfirmed) {
        window = new Window(calls, unconfirmed);
        nudge();
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
            running.link().wakeUp();
        }
    }

    @Override
    public synchronized CompletionStage<Void> stopIntake() {
        stopped = true;
        if (running == null) {
            return CompletableFuture.completedFuture(null);
        }
        CompletionStage<Void> over = running.source().stopIntake();
        running.link().wakeUp();
        return over;
    }

    @Override
    public SourceStatus status() {
        Running now = running;
        if (now == null) {
            Set<PauseReason> reasons = paused ? Set.of(PauseReason.OPERATOR) : Set.of();
            return new SourceStatus(false, NOT_STARTED, reasons, 0, List.of(), 0, 0);
        }
        SourceLoop.SourceSnapshot shown = now.source().snapshot();
        Set<PauseReason> reasons = new HashSet<>(shown.reasons());
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        if (now.source().isStopping()) {
            reasons.add(PauseReason.DRAIN);
        }
        String problem = now.link().problem() != null
                ? now.link().problem()
                : now.length().problem();
        return new SourceStatus(
                problem == null,
                problem,
                reasons,
                shown.buffered(),
                lags(now, shown, problem != null),
                now.source().mailbox().duplicateSettlements(),
                shown.redelivered());
    }

    private List<Lag> lags(Running now, SourceLoop.SourceSnapshot shown, boolean broken) {
        QueueLengthMonitor.QueueObservation told = now.length().latestObservation();
        if (told == null) {
            return List.of();
        }
        // What an earlier connection said is of another time: what this node held then is on the queue again.
        boolean stale = broken || told.connection() != now.link().connection();
        String queue = settings.requests().queue();
        return List.of(QueueLag.of(queue, told, stale ? null : shown, System.currentTimeMillis()));
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
            LOG.warn("What was settled last is not acknowledged, and repeated", e);
        }
        now.link().close(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
        now.loop().close();
    }
}
