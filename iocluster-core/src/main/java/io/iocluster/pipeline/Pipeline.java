package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.cache.CacheStatus;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.cache.shared.SharedStore;
import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.operator.OperatorAction;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.pipeline.cache.ResponseCaches;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallScheduler;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.GuardedPipelineEvents;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.event.UnpublishedAnswers;
import io.iocluster.pipeline.intake.CallRules;
import io.iocluster.pipeline.intake.Dispatcher;
import io.iocluster.pipeline.intake.PrefetchHint;
import io.iocluster.pipeline.intake.ProgressMonitor;
import io.iocluster.pipeline.intake.ScatterAdmission;
import io.iocluster.pipeline.outbox.AnswerOutbox;
import io.iocluster.pipeline.publish.AnswerPublisher;
import io.iocluster.pipeline.publish.DefectBackoff;
import io.iocluster.pipeline.publish.DelayedRetryPublisher;
import io.iocluster.pipeline.publish.EncodingQueue;
import io.iocluster.pipeline.publish.ResultSizes;
import io.iocluster.pipeline.upstream.UpstreamBalancers;
import io.iocluster.pipeline.upstream.UpstreamHealthChecks;
import io.iocluster.pipeline.worker.Watchdog;
import io.iocluster.pipeline.worker.Worker;
import io.iocluster.pipeline.worker.WorkerPool;
import io.iocluster.producer.AppRegistry;
import io.iocluster.producer.AppStatus;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Transport;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Composes the path of a message. The transport's source offers deliveries to the dispatcher, calls wait in the queues of their
 * destinations, workers make them, and answers go to the transport's sink and settle the delivery. The lifecycle is start, run, drain,
 * stop. Thread-safe.
 */
public final class Pipeline implements AutoCloseable {

    private static final long TICK_MILLIS = 10;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

    private final Transport transport;
    private final CurrentEgressPolicy egress;
    private final CredentialStore credentials;
    private final InFlightWindow window;
    private final ExecutorStack executors;
    private final WorkerLoops loops;
    private final Platform platform;
    private final PipelineEvents events;
    private final OpenCalls open;
    private final WorkerPool workers;
    private final Watchdog watchdog;
    private final ProgressMonitor progress;
    private final DestinationRegistry<Call> destinations;
    private final AppRegistry<Call> apps;
    private final ResponseCaches caches;
    private final AnswerOutbox outbox;
    private final CallScheduler scheduler;
    private final EncodingQueue encodings;
    private final DefectBackoff backoff;
    private final DelayedRetryPublisher delays;
    private final PrefetchHint prefetchHint;
    private final ScatterAdmission scatterAdmission;
    private final CallRules.Source rules;
    private final Dispatcher dispatcher;
    private final Quiesce quiesce;
    private final PipelineStatusReader statusReader;

    @GuardedBy("this")
    private ConnectionFingerprint fingerprint;

    /** The settings in force. Written under the lock. */
    private volatile PipelineSettings settings;

    @GuardedBy("this")
    private boolean joined;

    private final AtomicReference<PipelineState> state = new AtomicReference<>(PipelineState.NEW);

    /** Creates a pipeline on the sockets of the operating system that shares no cache with other nodes. */
    public Pipeline(
            PipelineSettings settings, Transport transport, PipelineEvents events, Tracing tracing, Platform platform) {
        this(
                settings,
                transport,
                events,
                tracing,
                PipelineParts.of(settings, events, SharedStore.Factory.NONE, platform),
                platform);
    }

    /**
     * Creates a pipeline.
     *
     * @param platform the clocks and threads of everything but the workers' event loops
     */
    public Pipeline(
            PipelineSettings settings,
            Transport transport,
            PipelineEvents listener,
            Tracing tracing,
            PipelineParts parts,
            Platform platform) {
        this.events = new GuardedPipelineEvents(platform, listener);
        this.transport = transport;
        this.egress = parts.egress();
        this.credentials = new CredentialStore(settings.credentials(), platform);
        this.platform = platform;
        this.open = new OpenCalls(platform);
        this.loops = parts.loops();
        this.settings = settings;
        this.fingerprint = ConnectionFingerprint.of(settings);
        Runnable capacityAvailable =
                new GuardedTask("capacity signal", transport.source()::capacityAvailable, platform);
        WorkerSettings size = settings.workers();
        this.window = new InFlightWindow(
                size.maxInFlight(),
                size.maxUnconfirmed(),
                size.maxWaiting(),
                size.maxInFlightBytes().bytes(),
                capacityAvailable);
        this.prefetchHint = new PrefetchHint(transport.source(), window, platform);
        this.workers = new WorkerPool(this::newWorker, size.stallTimeout(), events, platform);
        this.watchdog = new Watchdog(open, workers::heartbeat, events, platform);
        this.destinations = new DestinationRegistry<>(
                settings.destinations(),
                settings.destinationDefaults(),
                size.maxDestinations(),
                size.maxUnconfiguredPercent(),
                window,
                workers::dispatch,
                egress.resolvedAddresses()::get,
                platform,
                platform.random());
        this.apps =
                new AppRegistry<>(settings.producers(), settings.apps(), window, this::startQueued, platform::nanos);
        this.caches = new ResponseCaches(credentials, apps::nameIn, window, open, platform, parts.stores());
        caches.applySharedSettings(settings.sharedCache(), fingerprint.generation(settings));
        caches.applySettings(settings.destinations(), settings.destinationDefaults(), false);
        this.executors = ExecutorStack.of(parts.executors(), credentials, egress, settings, platform);
        this.outbox = new AnswerOutbox(transport, window, events, platform, settings.answers());
        this.encodings = new EncodingQueue(window, platform);
        this.backoff = new DefectBackoff(platform);
        AnswerPublisher answerPublisher = new AnswerPublisher(
                encodings,
                backoff,
                transport.sink(),
                outbox,
                events,
                platform,
                settings.nodeId(),
                () -> this.settings.http().whenBodyTooLarge() == BodyTooLargePolicy.TRUNCATE,
                () -> this.settings.answers().timing());
        this.delays = new DelayedRetryPublisher(transport.sink(), answerPublisher, platform);
        this.scheduler = new CallScheduler(destinations, apps, caches, delays::millisUntilDue, capacityAvailable);
        this.scatterAdmission = new ScatterAdmission(window, new ResultSizes(), platform);
        this.rules = new CallRules.Source(egress, credentials, destinations, transport.sink(), platform);
        this.dispatcher = new Dispatcher(
                window,
                rules.rules(settings.http(), size.maxBranches()),
                apps,
                scheduler,
                delays,
                answerPublisher,
                scatterAdmission,
                events,
                tracing,
                open,
                platform);
        this.progress = new ProgressMonitor(window, dispatcher, platform);
        this.quiesce = new Quiesce(window, dispatcher, workers, platform);
        this.statusReader = new PipelineStatusReader(transport, window, outbox, workers, progress);
    }

    private void startQueued(Call call) {
        scheduler.startQueued(call);
    }

    private Worker newWorker(String name) {
        EventLoopGroup loop = loops.newLoop(name);
        try {
            HttpExecutor executor = executors.create(loop, settings);
            return new Worker(name, loop.next(), executor, scheduler, delays, events, open, platform);
        } catch (Throwable noCapacity) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw noCapacity;
        }
    }

    /** Returns whether no other node reads the same messages now, so that an early {@link #join} delays none. Blocks for some seconds. */
    public boolean isOnlyReader() {
        return transport.source().isOnlyReader();
    }

    /** Connects to the broker and reads nothing before {@link #start}. Does nothing if it has joined or started before. */
    public synchronized void join() {
        if (!joined) {
            joined = true;
            connect();
        }
    }

    /**
     * Starts to read messages and to make calls. Returns at once, even if the broker is unreachable.
     *
     * @throws IllegalStateException if it was started before
     */
    public synchronized void start() {
        if (!state.compareAndSet(PipelineState.NEW, PipelineState.RUNNING)) {
            throw new IllegalStateException("pipeline cannot be started twice: state=" + state.get());
        }
        dispatcher.start();
        join();
        transport.source().capacityAvailable();
    }

    private void connect() {
        workers.start(settings.workers().effectiveThreads());
        workers.scheduleEvery(
                TICK_MILLIS,
                new GuardedTask("scheduler", scheduler::tick, platform),
                new GuardedTask("several calls", scatterAdmission::tick, platform),
                new GuardedTask("encoding", encodings::tick, platform),
                new GuardedTask("delays", delays::tick, platform),
                new GuardedTask("answers", outbox::tick, platform),
                new GuardedTask("backoff", backoff::tick, platform),
                new GuardedTask("prefetch", prefetchHint::update, platform));
        workers.scheduleEvery(
                Watchdog.SWEEP_INTERVAL_MILLIS,
                new GuardedTask("watchdog", watchdog::sweep, platform),
                new GuardedTask(
                        "health checks", new UpstreamHealthChecks(upstreams(), workers::execute)::tick, platform));
        workers.scheduleEvery(
                ProgressMonitor.SAMPLE_INTERVAL_MILLIS, new GuardedTask("progress", progress::sample, platform));
        transport.sink().start();
        prefetchHint.send();
        transport.source().start(dispatcher);
    }

    /** Stops reading until {@link #resume}. Calls in flight continue. */
    public void pause() {
        transport.source().pause();
    }

    /** Ends {@link #pause}. */
    public void resume() {
        transport.source().resume();
    }

    /**
     * Applies new settings all at once: each call sees either the old or the new ones, and a waiting call sees those in force when it
     * starts. If connection settings or the content of their files changed, each worker gets a successor and stops after its last call.
     * A destination that keeps its name keeps its queue and its health; a credential keeps its token. The node id does not change.
     *
     * @return whether anything changed, including the content of a file
     * @throws RuntimeException if the machine cannot start further workers; then nothing has changed
     */
    public synchronized boolean reconfigure(PipelineSettings next) {
        PipelineSettings before = settings;
        ConnectionFingerprint after = ConnectionFingerprint.of(next);
        boolean renewWorkers = !after.equals(fingerprint);
        boolean forgetResponses = renewWorkers || next.invalidatesResponsesOf(before);
        boolean resize = !next.workers().equals(before.workers());
        boolean replace = renewWorkers
                || next.workers().maxBranches() != before.workers().maxBranches()
                || !next.withWorkers(before.workers()).equals(before);
        try {
            if (resize) {
                resize(next.workers());
            }
            settings = next;
            if (replace) {
                quiesce.runQuiesced(() -> replace(next, renewWorkers, forgetResponses));
            }
        } catch (RuntimeException | Error noCapacity) {
            settings = before;
            resize(before.workers());
            throw noCapacity;
        }
        fingerprint = after;
        caches.applySharedSettings(next.sharedCache(), after.generation(next));
        return resize || replace;
    }

    /** Only the first step can fail, and then nothing has changed. */
    private void replace(PipelineSettings next, boolean renewWorkers, boolean forgetResponses) {
        if (renewWorkers) {
            workers.replaceAll();
        }
        outbox.applySettings(next.answers());
        egress.replace(next.egress());
        credentials.replace(next.credentials());
        apps.applySettings(next.producers(), next.apps());
        destinations.updatePolicies(next.destinations(), next.destinationDefaults());
        caches.applySettings(next.destinations(), next.destinationDefaults(), forgetResponses);
        executors.upstreams().applySettings(next.destinations(), next.destinationDefaults());
        dispatcher.applySettings(rules.rules(next.http(), next.workers().maxBranches()));
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
        prefetchHint.send();
    }

    /** Changes the state of a running pipeline to draining, before another thread calls {@link #drain}. */
    public void announceDrain() {
        state.compareAndSet(PipelineState.RUNNING, PipelineState.DRAINING);
    }

    /**
     * Stops reading, waits for the calls that were read, and stops. Messages without a confirmed answer within this time return to their
     * queue. If every message was settled in time, runs {@code idle} before it stops, and returns true.
     */
    public boolean drain(Duration within, Runnable idle) {
        announceDrain();
        if (state.get() != PipelineState.DRAINING) {
            close();
            return true;
        }
        boolean answered = DrainWait.awaitIdle(transport.source(), window, within, idle, platform);
        close();
        return answered;
    }

    /** Stops at once. Messages without an answer return to their queue; settled messages are committed. */
    @Override
    public void close() {
        PipelineState before = state.getAndSet(PipelineState.STOPPED);
        if (before == PipelineState.STOPPED) {
            return;
        }
        dispatcher.stop();
        backoff.close();
        scheduler.close();
        scatterAdmission.close();
        workers.releaseAll();
        encodings.close().forEach(Call::release);
        delays.close();
        outbox.close();
        transport.source().close(CLOSE_WITHIN);
        transport.sink().close();
        workers.close();
        caches.close();
    }

    /** Returns the status of each configured destination and of those that were called recently. */
    public List<DestinationStatus> destinations() {
        return destinations.status();
    }

    /** Returns the status of each destination's cache. */
    public List<CacheStatus> caches() {
        return caches.status();
    }

    /** Returns the status of the cache that nodes share; empty if they share none. */
    public Optional<SharedCacheStatus> sharedCache() {
        return caches.sharedStatus();
    }

    /** Returns the upstreams of all destinations. */
    public UpstreamBalancers upstreams() {
        return executors.upstreams();
    }

    /** Returns the status of each configured app and of those that sent calls recently. */
    public List<AppStatus> apps() {
        return apps.status();
    }

    /** Sets this node's share of the limits that the nodes of its cluster divide. The default is the whole limit. */
    public void setClusterShare(ClusterShare share) {
        destinations.setClusterShare(share);
    }

    /**
     * Applies an operator's action to the destination of this name. It survives {@link #reconfigure}, but not a restart. Returns the
     * destination's new status; empty if there is no such destination.
     */
    public Optional<DestinationStatus> apply(String destination, OperatorAction action) {
        return destinations.apply(destination, action);
    }

    /** Returns how many queues are published to on another connection because they block the others. Thread-safe. */
    public int isolatedQueues() {
        return transport.sink().isolatedQueues();
    }

    /** Returns the answers that a topic or queue does not accept, the most first. Thread-safe. */
    public List<UnpublishedAnswers> unpublishedAnswers() {
        return outbox.unpublished();
    }

    /** Returns a snapshot of the pipeline. Does no IO. */
    public PipelineStatus status() {
        return statusReader.read(state.get(), settings.workers().progressTimeout());
    }
}
