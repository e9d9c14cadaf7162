package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.CallFactory;
import io.iocluster.lab.load.data.ReplayReader;
import io.iocluster.lab.load.experiment.Expectation;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.SearchResult;
import io.iocluster.lab.load.result.SearchResult.Trial;
import io.iocluster.lab.load.result.TemplateResult;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/** Runs the phases one after the other. Confined to the thread of the run. */
final class PhaseRunner {

    private static final long CHECK_MILLIS = 20;

    /** A trial that sends fewer of the calls that are due does not measure its rate. */
    private static final double MIN_RATE_SHARE = 0.99;

    private final ExperimentFile file;
    private final Share share;
    private final CallFactory factory;
    private final CallRecorder recorder;
    private final RunMonitor monitor;
    private final RunControl control;
    private final LoadClock clock;
    private final Map<Phase, ReplayReader.Summary> replays = new HashMap<>();
    private final List<RunPhase> phases = new ArrayList<>();
    private SearchResult search;
    private long nextStartNanos = Long.MIN_VALUE;

    /** A phase that has run, in seconds since the start of the run; its figures change while answers arrive. */
    private record RunPhase(PhaseRecorder recorder, double from, double to, long due) {

        PhaseResult result() {
            return recorder.result(from, to, due);
        }
    }

    PhaseRunner(
            ExperimentFile file,
            Share share,
            CallFactory factory,
            CallRecorder recorder,
            RunMonitor monitor,
            RunControl control,
            LoadClock clock)
            throws IOException {
        this.file = file;
        this.share = share;
        this.factory = factory;
        this.recorder = recorder;
        this.monitor = monitor;
        this.control = control;
        this.clock = clock;
        for (Phase phase : file.experiment().phases()) {
            if (phase.shape() == Phase.Shape.REPLAY) {
                replays.put(phase, ReplayReader.summarize(file.resolve(phase.file()), phase.speed()));
            }
        }
    }

    /** Runs a phase until its last call is sent or the run is stopped. */
    void run(Phase phase) {
        if (phase.shape() == Phase.Shape.SEARCH) {
            search(phase);
        } else {
            PhaseRecorder figures = PhaseRecorder.of(phase, file.experiment());
            phases.add(send(phase, figures, start -> calls(phase, figures, start)));
        }
    }

    /** Creates the calls of a phase that starts at a time of the clock. */
    private interface CallsAt {

        PhaseCalls create(long startNanos);
    }

    private PhaseCalls calls(Phase phase, PhaseRecorder figures, long startNanos) {
        return switch (phase.shape()) {
            case USERS ->
                new UserCalls(
                        share.of(phase.users()),
                        phase.thinkTime().toNanos(),
                        phase.duration().toNanos(),
                        startNanos,
                        factory,
                        recorder,
                        figures);
            case REPLAY -> replay(phase, figures);
            case CONSTANT, RAMP, STEP, SPIKE, SINE ->
                new ScheduledCalls(Schedule.of(phase).every(share.agents(), share.index()), factory, recorder, figures);
            case SEARCH -> throw new IllegalStateException("a search sends the calls of its trials");
        };
    }

    private PhaseCalls replay(Phase phase, PhaseRecorder figures) {
        Path recording = file.resolve(phase.file());
        long recorded = replays.get(phase).durationNanos();
        long duration = phase.duration().isZero()
                ? recorded
                : Math.min(recorded, phase.duration().toNanos());
        try {
            return new ReplayCalls(new ReplayReader(recording, 0, phase.speed()), duration, share, recorder, figures);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private RunPhase send(Phase phase, PhaseRecorder figures, CallsAt callsAt) {
        long now = clock.nanoTime();
        // A phase starts when the previous one should have ended, so that a little delay does not add up.
        long start = phases.isEmpty() ? monitor.startNanos() : Math.max(nextStartNanos, now);
        try (PhaseCalls calls = callsAt.create(start)) {
            Pacer pacer = new Pacer("load-sender", clock, start, calls);
            if (calls instanceof UserCalls users) {
                users.setPacer(pacer);
            }
            monitor.phaseStarted(phase.name(), calls, start);
            control.onStop(pacer::stop);
            pacer.start();
            monitor.await(pacer.ended(), Duration.ofDays(365));
            pacer.stop();
            pacer.awaitSent();
            if (calls.problem() != null) {
                control.stop(phase.name() + ": " + calls.problem());
            }
            if (!control.isStopped()) {
                awaitUntil(start + calls.durationNanos());
            }
            long end = Math.min(clock.nanoTime(), start + calls.durationNanos());
            nextStartNanos = start + calls.durationNanos();
            long due = monitor.phaseEnded(end - start);
            return new RunPhase(figures, monitor.secondsAt(start), monitor.secondsAt(Math.max(start, end)), due);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void awaitUntil(long nanos) {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        control.onStop(() -> stopped.complete(null));
        monitor.await(stopped, Duration.ofNanos(Math.max(0, nanos - clock.nanoTime())));
    }

    private void search(Phase phase) {
        RateSearch rates = new RateSearch(phase);
        List<Expectation> objective =
                phase.objective().stream().map(Expectation::parseTrial).toList();
        for (OptionalDouble rate = rates.nextRate();
                rate.isPresent() && !control.isStopped();
                rate = rates.nextRate()) {
            Trial trial = trial(phase, rate.getAsDouble(), objective);
            if (!control.isStopped()) {
                rates.add(trial);
            }
        }
        search = new SearchResult(phase.name(), rates.best(), rates.failed(), rates.trials());
    }

    private Trial trial(Phase phase, double rate, List<Expectation> objective) {
        PhaseRecorder figures = PhaseRecorder.of(phase, file.experiment());
        Schedule schedule =
                Schedule.constant(rate, Math.round(rate * phase.trial().toMillis() / 1e3));
        RunPhase trial = send(phase, figures, start -> new ScheduledCalls(schedule, factory, recorder, figures));
        phases.add(trial);
        awaitAnswers(figures, file.experiment().drainTimeout());
        nextStartNanos = clock.nanoTime();
        PhaseResult result = trial.result();
        String reason = problem(result, objective);
        monitor.message(String.format(
                Locale.ROOT,
                "%s: %,.0f/s %s",
                phase.name(),
                rate,
                reason == null ? "meets the objective" : "misses the objective: " + reason));
        TemplateResult calls = result.total();
        return new Trial(rate, trial.from, trial.to, reason == null, reason, calls);
    }

    /** Returns the first condition that a trial does not meet; null if it meets all. */
    private static String problem(PhaseResult trial, List<Expectation> objective) {
        double share = trial.due() == 0 ? 0 : (double) trial.sent() / trial.due();
        if (share < MIN_RATE_SHARE) {
            return String.format(Locale.ROOT, "only %.1f %% of the calls could be sent", share * 100);
        }
        return objective.stream()
                .map(condition -> ExpectationChecker.checkTrial(condition, trial))
                .filter(outcome -> outcome.state() != State.MET)
                .map(PhaseRunner::describe)
                .findFirst()
                .orElse(null);
    }

    private static String describe(ExpectationOutcome outcome) {
        return outcome.text() + ": " + outcome.actual();
    }

    /** Waits for missing answers after the last phase; not if the run was stopped. */
    void drain(Duration timeout) {
        monitor.phasesEnded();
        if (!control.isStopped()) {
            awaitAnswers(null, timeout);
        }
    }

    private void awaitAnswers(PhaseRecorder figures, Duration timeout) {
        long end = clock.nanoTime() + timeout.toNanos();
        while (!control.isStopped()
                && (figures == null ? recorder.outstanding() : figures.outstanding()) > 0
                && end - clock.nanoTime() > 0) {
            awaitUntil(clock.nanoTime() + Duration.ofMillis(CHECK_MILLIS).toNanos());
        }
    }

    /** Returns the result of each phase until now; all trials of a search are one phase. */
    List<PhaseResult> results() {
        return PhaseResult.mergeByName(phases.stream().map(RunPhase::result).toList());
    }

    /** Returns the result of the last search; null if there was none. */
    SearchResult searchResult() {
        return search;
    }

    LatencyHistogram scheduleError() {
        return recorder.scheduleError();
    }
}
