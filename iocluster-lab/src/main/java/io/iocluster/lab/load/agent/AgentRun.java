package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.agent.Messages.AgentStep;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.fault.FaultInjector;
import io.iocluster.lab.load.fault.FaultSchedule;
import io.iocluster.lab.load.metric.MetricReader;
import io.iocluster.lab.load.metric.MetricSampling;
import io.iocluster.lab.load.result.Environment;
import io.iocluster.lab.load.result.GeneratorResult;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.lab.load.run.ExpectationChecker;
import io.iocluster.lab.load.run.Progress;
import io.iocluster.lab.load.run.RunListener;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.cluster.ClusterChannel;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * One run whose calls several agents send. Confined to one thread, except {@link #stop}. The run ends early if an agent dies, because
 * the load would no longer be that of the experiment.
 */
public final class AgentRun {

    private final ExperimentFile file;
    private final Experiment experiment;
    private final String runId;
    private final String version;
    private final MetricReader reader;
    private final List<RunListener> listeners;
    private final AgentTiming timing;
    private final AgentGroup group;
    private final MetricSampling metrics;
    private final FaultSchedule faults;
    private final AtomicReference<String> stop = new AtomicReference<>();
    private final Queue<Consumer<RunListener>> events = new ConcurrentLinkedQueue<>();
    private volatile long startNanos = System.nanoTime();
    private long totalSent;
    private long totalErrors;
    private String phase;

    public AgentRun(
            ExperimentFile file,
            String runId,
            String version,
            ClusterChannel channel,
            FaultInjector injector,
            MetricReader reader,
            List<RunListener> listeners,
            AgentTiming timing) {
        this.file = file;
        this.experiment = file.experiment();
        this.runId = runId;
        this.version = version;
        this.reader = reader;
        this.timing = timing;
        this.listeners = List.copyOf(listeners);
        this.group = new AgentGroup(channel, runId, version, timing, () -> stop.get() != null);
        this.metrics = new MetricSampling(reader, this::seconds, this::message);
        this.faults = new FaultSchedule(
                experiment.faults(),
                experiment.phases().get(0).name(),
                injector,
                this::seconds,
                mark -> events.add(listener -> listener.fault(mark)));
    }

    /** Ends the run soon, with a partial result. */
    public void stop(String reason) {
        stop.compareAndSet(null, reason);
    }

    /** Returns the fault that is being undone now, for people; null if none is. Never waits. */
    public String undoing() {
        return faults.undoing();
    }

    private double seconds() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private void message(String text) {
        events.add(listener -> listener.message(text));
    }

    /**
     * Gathers the agents and runs the experiment.
     *
     * @throws IOException if there are too few agents, or one of them cannot run the experiment; the message is for the user
     */
    public RunResult run(int agents) throws IOException, InterruptedException {
        if (experiment.phases().stream().anyMatch(each -> each.shape() == Phase.Shape.SEARCH)) {
            throw new IOException(
                    "a phase of shape search cannot run on agents, because each trial needs the result of the"
                            + " one before");
        }
        try (group) {
            listeners.forEach(listener -> listener.message("Waiting for " + agents + " agents…"));
            group.gather(agents);
            group.prepare(file.text());
            Instant startedAt = Instant.now().plus(timing.startDelay());
            startNanos = System.nanoTime() + timing.startDelay().toNanos();
            group.start(Messages.nowMicros() + timing.startDelay().toNanos() / 1_000);
            listeners.forEach(listener -> listener.started(experiment, runId, startedAt));
            group.agents()
                    .forEach(agent -> message(String.format(
                            Locale.ROOT,
                            "agent %s: clock offset %+.1f ms ± %.1f ms",
                            agent.name(),
                            agent.clock().micros() / 1e3,
                            agent.clock().errorMicros() / 1e3)));
            metrics.start(experiment.metricsInterval(), experiment.plannedDuration());
            try {
                follow();
                awaitWithin();
            } finally {
                faults.close();
                metrics.close();
                deliverEvents();
            }
            RunResult result = result(startedAt);
            listeners.forEach(listener -> listener.ended(result));
            return result;
        }
    }

    /** Follows the agents until each has returned its result or has failed. */
    private void follow() throws InterruptedException {
        long stoppedNanos = 0;
        while (!group.agents().stream().allMatch(RemoteAgent::isOver)) {
            group.exchange(50);
            group.agents().forEach(this::check);
            String reason = stop.get();
            if (reason != null) {
                group.stop(reason);
                if (stoppedNanos == 0) {
                    stoppedNanos = System.nanoTime();
                    // On another thread, because the agents must hear the driver while a program undoes a fault.
                    DaemonThreadFactory.newThread("load-undo", faults::close).start();
                }
                if (System.nanoTime() - stoppedNanos > timing.joinTimeout().toNanos()) {
                    group.agents().stream()
                            .filter(agent -> !agent.isOver())
                            .forEach(agent -> agent.fail("returned no result in time"));
                }
            }
            mergePoints();
            deliverEvents();
        }
    }

    private void check(RemoteAgent agent) {
        if (agent.state().step() == AgentStep.FAILED) {
            agent.fail(String.valueOf(agent.state().problem()));
        }
        boolean left = agent.state().step() == AgentStep.FREE && seconds() > 1;
        if (agent.result() == null
                && (left
                        || agent.silentNanos(System.nanoTime())
                                > timing.peerTimeout().toNanos())) {
            agent.fail("died");
        }
        if (agent.isDuplicate()) {
            agent.fail("another agent has the same name");
        }
        if (agent.problem() != null) {
            stop("agent " + agent.name() + ": " + agent.problem());
        }
    }

    /** Merges each second of which all agents have announced their share, or have announced a later one. */
    private void mergePoints() {
        long complete =
                group.agents().stream().mapToLong(RemoteAgent::lastSecond).min().orElse(-1);
        TreeSet<Long> seconds = new TreeSet<>();
        group.agents()
                .forEach(agent ->
                        seconds.addAll(agent.points().headMap(complete + 1).keySet()));
        for (Long second : seconds) {
            add(PointMerge.merge(group.agents().stream()
                    .map(agent -> agent.points().remove(second))
                    .filter(Objects::nonNull)
                    .toList()));
        }
    }

    private void add(TimePoint point) {
        totalSent += point.sent();
        totalErrors += point.errors();
        boolean isPhase = experiment.phase(point.phase()).isPresent();
        if (isPhase && !point.phase().equals(phase)) {
            phase = point.phase();
            faults.phaseStarted(phase);
            events.add(listener -> listener.phaseStarted(point.phase(), point.second()));
        }
        Progress progress = new Progress(
                point,
                point.second() + 1,
                point.due(),
                totalSent,
                totalErrors,
                metrics.latest(MetricSeries.LAG_SECONDS),
                Duration.ofMillis(Math.max(0, experiment.plannedDuration().toMillis() - Math.round(seconds() * 1e3))));
        listeners.forEach(listener -> listener.progress(progress));
    }

    private void awaitWithin() throws InterruptedException {
        List<PhaseResult> phases = phases();
        while (stop.get() == null
                && new ExpectationChecker(phases, metrics.series(), null)
                        .isPending(experiment.parsedExpectations(), seconds())) {
            group.exchange(200);
            deliverEvents();
        }
    }

    private void deliverEvents() {
        for (Consumer<RunListener> event = events.poll(); event != null; event = events.poll()) {
            listeners.forEach(event);
        }
    }

    private List<RunResult> results() {
        return group.agents().stream()
                .map(RemoteAgent::result)
                .filter(result -> result != null)
                .toList();
    }

    private List<PhaseResult> phases() {
        return PhaseResult.mergeByName(
                results().stream().flatMap(result -> result.phases().stream()).toList());
    }

    private RunResult result(Instant startedAt) {
        List<PhaseResult> phases = phases();
        List<LatencyHistogram> scheduleErrors = results().stream()
                .map(result -> result.generator().scheduleError())
                .toList();
        List<MetricSeries> series = metrics.series();
        return new RunResult(
                runId,
                experiment.name(),
                experiment.hypothesis(),
                RunResult.describe(experiment),
                experiment.seed(),
                startedAt,
                Instant.now(),
                stop.get(),
                phases,
                PointMerge.mergeSeries(results().stream().map(RunResult::series).toList()),
                results().stream().mapToInt(RunResult::intervalSeconds).max().orElse(1),
                series,
                faults.marks(),
                new ExpectationChecker(phases, series, null).check(experiment.parsedExpectations()),
                null,
                new GeneratorResult(
                        LatencyHistogram.sum(scheduleErrors),
                        group.agents().stream().map(RemoteAgent::summary).toList()),
                Environment.read(version, reader.nodeVersions()));
    }
}
