package io.iocluster.pipeline;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.credential.CredentialedExecutor;
import io.iocluster.credential.CredentialsInForce;
import io.iocluster.destination.DestinationPolicy;
import io.iocluster.destination.DestinationSettings;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.Destinations;
import io.iocluster.egress.EgressInForce;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpExecutor.Connections;
import io.iocluster.http.HttpExecutors;
import io.iocluster.message.RequestDecoder;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.settings.DurationText;
import io.iocluster.transport.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole way of a message, composed: the transport's source offers deliveries to the dispatcher, each call gets its turn at
 * its destination, workers make it, replies go to the transport's sink and settle the delivery. Its life is start, run, drain,
 * stop. Methods may be called from any thread.
 */
public final class Pipeline implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

    private final Transport transport;
    private final EgressInForce egress;
    private final CredentialsInForce credentials;
    private final WorkerSettings workerSettings;
    private final InFlightWindow window;
    private final HttpExecutorFactory executors;
    private final WorkerPool workers;
    private final Destinations<Call> destinations;
    private final Turns turns;
    private final Reach reach;
    private final Dispatcher dispatcher;
    private final AtomicReference<PipelineState> state = new AtomicReference<>(PipelineState.NEW);

    public Pipeline(PipelineSettings settings, Transport transport, PipelineEvents events) {
        this(
                settings,
                transport,
                events,
                new EgressInForce(settings.egress(), new EgressReportLog(events, NodeClock.SYSTEM)));
    }

    private Pipeline(PipelineSettings settings, Transport transport, PipelineEvents events, EgressInForce egress) {
        this(
                settings,
                transport,
                events,
                egress,
                HttpExecutorFactory.of(new HttpExecutors(egress), settings.http(), settings.policies()),
                NodeClock.SYSTEM);
    }

    Pipeline(
            PipelineSettings settings,
            Transport transport,
            PipelineEvents events,
            EgressInForce egress,
            HttpExecutorFactory executors,
            NodeClock clock) {
        this.transport = transport;
        this.egress = egress;
        this.credentials = new CredentialsInForce(settings.credentials());
        this.executors = executors;
        this.workerSettings = settings.workers();
        this.window = new InFlightWindow(
                workerSettings.maxInFlight(),
                workerSettings.maxUnconfirmed(),
                workerSettings.maxWaiting(),
                workerSettings.maxInFlightBytes().bytes(),
                transport.source()::roomFreed);
        this.reach = new Reach(transport.source(), window, workerSettings.maxUnconfirmed(), clock);
        this.destinations = new Destinations<>(
                settings.destinations(), settings.others(), workerSettings.maxDestinations(), window, clock::nanos);
        Replies replies = new Replies(transport.sink(), events, clock, settings.node());
        this.turns = new Turns(destinations, this::toWorker, transport.source()::roomFreed);
        WorkerFactory factory = name -> {
            EventLoopGroup loop = HttpExecutors.newEventLoop(new DefaultThreadFactory("iocluster-" + name, true));
            HttpExecutor executor = new CredentialedExecutor(executors.create(loop), loop.next(), credentials, egress);
            return new Worker(name, loop.next(), executor, turns, events, clock);
        };
        this.workers = new WorkerPool(factory, workerSettings.stallTimeout(), events);
        this.dispatcher = new Dispatcher(
                window,
                new RequestDecoder(
                        Admission.maxEnvelopeBytes(settings.http()),
                        settings.workers().maxBranches()),
                new Admission(egress, credentials, destinations, settings.http(), transport.sink()),
                new Deadlines(settings.http(), clock),
                turns,
                replies,
                events);
    }

    private void toWorker(Call call) {
        workers.dispatch(call);
    }

    private void tick() {
        turns.tick();
        reach.follow();
    }

    /**
     * Begins to read and to call. Returns at once, whether or not the broker is there.
     *
     * @throws IllegalStateException if it was started before
     */
    public void start() {
        if (!state.compareAndSet(PipelineState.NEW, PipelineState.RUNNING)) {
            throw new IllegalStateException("a pipeline starts once; this one is " + state.get());
        }
        workers.start(workerSettings.effectiveThreads(), this::tick);
        transport.sink().start();
        reach.tell();
        transport.source().start(dispatcher);
    }

    /** Takes nothing more from the source until {@link #resume}; what is under way goes on. */
    public void pause() {
        transport.source().pause();
    }

    public void resume() {
        transport.source().resume();
    }

    /**
     * Changes how much is done at once, without touching a call.
     *
     * @param threads event loops; 0: one for each core
     * @param maxInFlight calls open at once, 1 or more
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of its range
     */
    public void resize(int threads, int maxInFlight) {
        WorkerSettings checked = workerSettings.withSize(threads, maxInFlight);
        workers.resize(checked.effectiveThreads());
        window.resize(checked.maxInFlight(), window.maxBytes());
        reach.tell();
    }

    /**
     * Judges every attempt that begins from now on by another egress policy, that of a call which waits for its turn or its
     * retry too. Attempts under way go on; no connection made before is used again.
     */
    public void replaceEgress(EgressSettings settings) {
        egress.replace(settings);
    }

    /**
     * Puts other destinations and policies in force, for calls that arrive and attempts that begin from now on. A destination
     * that keeps its name keeps its line and what was learned of it, as far as the settings stay by which that was learned.
     */
    public void replaceDestinations(List<DestinationSettings> entries, DestinationPolicy others) {
        destinations.replace(entries, others);
    }

    /**
     * Makes every attempt that begins from now on with other credentials, that of a call which waits for its turn or its
     * retry too.
     *
     * @param byName all that there are from now on
     */
    public void replaceCredentials(Map<String, CredentialSettings> byName) {
        credentials.replace(byName);
    }

    /**
     * Reads nothing more, waits for what is under way, and stops. Calls that have no answer in time go back to the broker.
     *
     * @param within how long calls may still take
     * @return whether every call was answered in time
     */
    public boolean drain(Duration within) {
        if (!state.compareAndSet(PipelineState.RUNNING, PipelineState.DRAINING)) {
            close();
            return true;
        }
        boolean answered = awaitIdle(within);
        if (!answered) {
            LOG.warn(
                    "{} calls had no answer within {} and go back to the queue",
                    window.held(),
                    DurationText.format(within));
        }
        close();
        return answered;
    }

    private boolean awaitIdle(Duration within) {
        try {
            transport
                    .source()
                    .stopIntake()
                    .thenCompose(stopped -> window.whenIdle())
                    .toCompletableFuture()
                    .get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException bug) {
            LOG.error("defect while the pipeline was drained", bug.getCause());
            return false;
        }
    }

    /** Stops at once: what has no answer yet goes back to the broker, what is settled is committed. */
    @Override
    public void close() {
        PipelineState before = state.getAndSet(PipelineState.STOPPED);
        if (before == PipelineState.STOPPED) {
            return;
        }
        dispatcher.stop();
        turns.close();
        workers.releaseAll();
        transport.source().close(CLOSE_WITHIN);
        transport.sink().close();
        workers.close();
        executors.close();
    }

    /** Each destination as it stands: the configured ones, and those that were called of late. */
    public List<DestinationStatus> destinations() {
        return destinations.status();
    }

    /** What is known now, without asking anyone. */
    public PipelineStatus status() {
        List<WorkerStatus> each = workers.workers().stream()
                .map(worker -> {
                    Connections connections = worker.connections();
                    return new WorkerStatus(worker.name(), worker.inFlight(), connections.active(), connections.idle());
                })
                .toList();
        return new PipelineStatus(
                state.get(),
                transport.name(),
                window.calls(),
                window.maxCalls(),
                window.waiting(),
                window.unconfirmed(),
                window.bytes(),
                window.maxBytes(),
                each,
                workers.replaced(),
                transport.source().status());
    }
}
