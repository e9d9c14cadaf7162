package io.iocluster.transport.source;

import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Implements the lifecycle of a source, which is started once and closed once. It may be paused, and its intake stopped, before the
 * start. Thread-safe.
 *
 * @param <R> what the source creates when it starts
 */
public abstract class LifecycleSource<R extends RunningSource> implements RequestSource {

    private static final String NOT_STARTED = "not started";

    /** Written under the lock. */
    private volatile State<R> state = new NotStarted<>();

    private volatile boolean paused;
    private volatile boolean intakeStopped;

    private sealed interface State<R extends RunningSource> {}

    private record NotStarted<R extends RunningSource>() implements State<R> {}

    private record Running<R extends RunningSource>(R source) implements State<R> {}

    /** @param source null if it was never started */
    private record Closed<R extends RunningSource>(R source) implements State<R> {}

    /** Creates the running source, and does not start it. Called at most once. */
    protected abstract R create(Intake intake);

    /** Returns the running source; null before the start and after the close. */
    protected final R running() {
        return state instanceof Running<R> running ? running.source() : null;
    }

    @Override
    public final synchronized void start(Intake intake) {
        if (!(state instanceof NotStarted)) {
            throw new IllegalStateException("the source was already started or is closed");
        }
        R source = create(intake);
        source.pause(paused);
        if (intakeStopped) {
            source.stopIntake();
        }
        state = new Running<>(source);
        source.start();
    }

    @Override
    public final void capacityAvailable() {
        R source = running();
        if (source != null) {
            source.capacityAvailable();
        }
    }

    @Override
    public final void pause() {
        setPaused(true);
    }

    @Override
    public final void resume() {
        setPaused(false);
    }

    private synchronized void setPaused(boolean pause) {
        paused = pause;
        R source = running();
        if (source != null) {
            source.pause(pause);
        }
    }

    @Override
    public final synchronized CompletionStage<Void> stopIntake() {
        intakeStopped = true;
        R source = running();
        return source == null ? CompletableFuture.completedFuture(null) : source.stopIntake();
    }

    @Override
    public final SourceStatus status() {
        Set<PauseReason> reasons = EnumSet.noneOf(PauseReason.class);
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        R source = started();
        if (source == null) {
            return new SourceStatus(false, NOT_STARTED, reasons, 0, List.of(), 0, 0);
        }
        if (intakeStopped) {
            reasons.add(PauseReason.DRAIN);
        }
        return source.status(reasons);
    }

    /** Returns the running or closed source; null if it was never started. */
    private R started() {
        State<R> now = state;
        return now instanceof Closed<R> closed ? closed.source() : running();
    }

    @Override
    public final void close(Duration timeout) {
        R source;
        synchronized (this) {
            if (state instanceof Closed) {
                return;
            }
            source = running();
            state = new Closed<>(source);
            intakeStopped = true;
        }
        if (source != null) {
            source.close(timeout);
        }
    }
}
