package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.credential.AuthenticatingHttpExecutor;
import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.http.ahc.AsyncHttpExecutorFactory;
import io.iocluster.message.RequestDecoder;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.settings.DurationText;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Transport;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
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
    private static final long TICK_MILLIS = 10;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

    private final Transport transport;
    private final CurrentEgressPolicy egress;
    private final CredentialStore credentials;
    private final InFlightWindow window;
    private final HttpExecutorFactory executors;
    private final NodeClock clock;
    private final PipelineEvents events;
    private final OpenCalls open = new OpenCalls();
    private final WorkerPool workers;
    private final Watchdog watchdog;
    private final ProgressMonitor progress;
    private final DestinationRegistry<Call> destinations;
    private final AnswerOutbox answers;
    private final CallScheduler turns;
    private final EncodingQueue encodings;
    private final DelayedRetryPublisher delays;
    private final PrefetchHint reach;
    private final Dispatcher dispatcher;
    private final Quiesce stillness;

    @GuardedBy("this")
    private ConnectionFingerprint connecting;

    /** As they hold now; written under the lock. */
    private volatile PipelineSettings settings;

    private final AtomicReference<PipelineState> state = new AtomicReference<>(PipelineState.NEW);

    /** A pipeline whose messages nobody follows. */
    public Pipeline(PipelineSettings settings, Transport transport, PipelineEvents events) {
        this(settings, transport, events, Tracing.OFF);
    }

    public Pipeline(PipelineSettings settings, Transport transport, PipelineEvents events, Tracing tracing) {
        this(
                settings,
                transport,
                events,
                tracing,
                new CurrentEgressPolicy(settings.egress(), new EgressReportLog(events, NodeClock.SYSTEM)));
    }

    private Pipeline(
            PipelineSettings settings,
            Transport transport,
            PipelineEvents events,
            Tracing tracing,
            CurrentEgressPolicy egress) {
        this(
                settings,
                transport,
                events,
                tracing,
                egress,
                HttpExecutorFactory.of(new AsyncHttpExecutorFactory(egress)),
                NodeClock.SYSTEM);
    }

    Pipeline(
            PipelineSettings settings,
            Transport transport,
            PipelineEvents listener,
            Tracing tracing,
            CurrentEgressPolicy egress,
            HttpExecutorFactory executors,
            NodeClock clock) {
        this.events = new GuardedPipelineEvents(listener, clock);
        this.transport = transport;
        this.egress = egress;
        this.credentials = new CredentialStore(settings.credentials());
        this.executors = executors;
        this.clock = clock;
        this.settings = settings;
        this.connecting = ConnectionFingerprint.of(settings);
        this.watchdog = new Watchdog(open, events, clock);
        WorkerSettings size = settings.workers();
        this.window = new InFlightWindow(
                size.maxInFlight(),
                size.maxUnconfirmed(),
                size.maxWaiting(),
                size.maxInFlightBytes().bytes(),
                transport.source()::capacityAvailable);
        this.reach = new PrefetchHint(transport.source(), window, clock);
        this.workers = new WorkerPool(this::newWorker, size.stallTimeout(), events);
        this.destinations = new DestinationRegistry<>(
                settings.destinations(),
                settings.destinationDefaults(),
                size.maxDestinations(),
                size.maxUnconfiguredPercent(),
                window,
                workers::dispatch,
                egress.resolvedAddresses()::get,
                clock::nanos);
        this.answers = new AnswerOutbox(transport, window, events, clock, settings.answers());
        this.encodings = new EncodingQueue(window);
        AnswerPublisher replies =
                new AnswerPublisher(encodings, transport.sink(), answers, events, clock, settings.nodeId());
        this.turns = new CallScheduler(destinations, transport.source()::capacityAvailable);
        this.delays = new DelayedRetryPublisher(transport.sink(), replies, clock);
        this.dispatcher = new Dispatcher(
                window,
                decoder(settings),
                admission(settings),
                new DeadlinePolicy(settings.http(), clock),
                turns,
                delays,
                replies,
                events,
                tracing,
                open);
        this.progress = new ProgressMonitor(window, dispatcher, clock);
        this.stillness = new Quiesce(window, dispatcher, workers);
    }

    private static RequestDecoder decoder(PipelineSettings settings) {
        return new RequestDecoder(
                RequestValidator.maxEnvelopeBytes(settings.http()),
                settings.workers().maxBranches());
    }

    private RequestValidator admission(PipelineSettings settings) {
        return new RequestValidator(egress, credentials, destinations, settings.http(), transport.sink());
    }

    private Worker newWorker(String name) {
        EventLoopGroup loop =
                AsyncHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("iocluster-" + name, true));
        try {
            PipelineSettings now = settings;
            HttpExecutor executor = new AuthenticatingHttpExecutor(
                    executors.create(loop, now.http(), now.destinationPolicies()), loop.next(), credentials, egress);
            return new Worker(name, loop.next(), executor, turns, delays, events, open, clock);
        } catch (Throwable noCapacity) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw noCapacity;
        }
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
        workers.start(settings.workers().effectiveThreads());
        workers.scheduleEvery(TICK_MILLIS, "turns", turns::tick);
        workers.scheduleEvery(TICK_MILLIS, "encoding", encodings::tick);
        workers.scheduleEvery(TICK_MILLIS, "delays", delays::tick);
        workers.scheduleEvery(TICK_MILLIS, "answers", answers::tick);
        workers.scheduleEvery(TICK_MILLIS, "prefetch", reach::update);
        workers.scheduleEvery(Watchdog.SWEEP_INTERVAL_MILLIS, "watchdog", watchdog::sweep);
        workers.scheduleEvery(ProgressMonitor.SAMPLE_INTERVAL_MILLIS, "progress", progress::sample);
        transport.sink().start();
        reach.send();
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
     * Puts other settings in force, all at once: a call meets what held before or what holds from now on, never some of each, and
     * one that waits is made by what holds when its turn comes. Where connections are made in another way, or the files that they
     * are made with have changed, each worker gets a successor and ends with its last call. A destination that keeps its name
     * keeps its line and what was learned of it, a credential its token. The node's id stays what it is.
     *
     * @return whether anything changed, were it but what a file holds
     * @throws RuntimeException if the machine has no room for further workers; all is as before then
     */
    public synchronized boolean reconfigure(PipelineSettings next) {
        PipelineSettings before = settings;
        ConnectionFingerprint after = ConnectionFingerprint.of(next);
        boolean renew = !after.equals(connecting);
        boolean resize = !next.workers().equals(before.workers());
        boolean replace = renew
                || next.workers().maxBranches() != before.workers().maxBranches()
                || !next.withWorkers(before.workers()).equals(before);
        try {
            if (resize) {
                resize(next.workers());
            }
            settings = next;
            if (replace) {
                stillness.runQuiesced(() -> replace(next, renew));
            }
        } catch (RuntimeException | Error noRoom) {
            settings = before;
            resize(before.workers());
            throw noRoom;
        }
        connecting = after;
        return resize || replace;
    }

    /** Only the first step can fail, and changes nothing then. */
    private void replace(PipelineSettings next, boolean renewWorkers) {
        if (renewWorkers) {
            workers.replaceAll();
            LOG.info(
                    "connections are made in another way now; each worker has a successor and ends with its last call");
        }
        answers.applySettings(next.answers());
        egress.replace(next.egress());
        credentials.replace(next.credentials());
        destinations.updatePolicies(next.destinations(), next.destinationDefaults());
        dispatcher.applySettings(decoder(next), admission(next), new DeadlinePolicy(next.http(), clock));
    }

    private void resize(WorkerSettings size) {
        workers.resize(size.effectiveThreads());
        workers.setStallTimeout(size.stallTimeout());
        destinations.setMaxDestinations(size.maxDestinations());
        destinations.limitUnconfigured(size.maxUnconfiguredPercent());
        window.resize(
                size.maxInFlight(),
                size.maxUnconfirmed(),
                size.maxWaiting(),
                size.maxInFlightBytes().bytes());
        reach.send();
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
                    "{} messages had no confirmed answer within {} and go back to the queue",
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
        encodings.close().forEach(Call::release);
        delays.close();
        answers.close();
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
                    ConnectionStats connections = worker.connections();
                    return new WorkerStatus(worker.name(), worker.inFlight(), connections.active(), connections.idle());
                })
                .toList();
        return new PipelineStatus(
                state.get(),
                transport.name(),
                window.inFlight(),
                window.maxInFlight(),
                window.waiting(),
                window.unconfirmed(),
                answers.waitingAnswers(),
                window.bytes(),
                window.maxBytes(),
                each,
                workers.replacedWorkers(),
                progress.isStalledFor(settings.workers().progressTimeout()),
                transport.source().status());
    }
}
