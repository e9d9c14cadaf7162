package io.iocluster.node;

import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A runtime that remembers what it was told, and whose status the test sets. Safe for use by several threads. */
public final class FakeRuntime implements NodeRuntime {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile PipelineState state = PipelineState.NEW;
    private volatile SourceStatus source =
            new SourceStatus(true, null, Set.of(), 0, List.of(new Lag("requests", 3, 12, 2_500, false)), 0, 0);
    private volatile int maxCalls = 300;
    private volatile boolean answersInTime = true;

    /** What was called, in order. */
    public List<String> calls() {
        return calls;
    }

    public void disconnect(String problem) {
        source = new SourceStatus(false, problem, Set.of("backoff"), 0, List.of(), 0, 0);
    }

    /** Makes the next drain leave calls open. */
    public void hang() {
        answersInTime = false;
    }

    @Override
    public void start() {
        calls.add("start");
        state = PipelineState.RUNNING;
    }

    @Override
    public PipelineStatus status() {
        return new PipelineStatus(
                state,
                "kafka",
                7,
                maxCalls,
                3,
                1_024,
                4_096,
                List.of(new WorkerStatus("worker-1", 7, 5, 2)),
                0,
                source);
    }

    @Override
    public void resize(int threads, int maxInFlight) {
        calls.add("resize " + threads + " " + maxInFlight);
        maxCalls = maxInFlight;
    }

    @Override
    public void pause() {
        calls.add("pause");
        source = new SourceStatus(true, null, Set.of("operator"), 0, source.lags(), 0, 0);
    }

    @Override
    public void resume() {
        calls.add("resume");
        source = new SourceStatus(true, null, Set.of(), 0, source.lags(), 0, 0);
    }

    @Override
    public boolean drain(Duration within) {
        calls.add("drain " + within);
        state = PipelineState.STOPPED;
        return answersInTime;
    }

    @Override
    public void close() {
        calls.add("close");
        state = PipelineState.STOPPED;
    }
}
