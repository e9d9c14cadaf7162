package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.lab.load.run.LoadRun;
import io.iocluster.lab.load.run.Progress;
import io.iocluster.lab.load.run.RunListener;
import io.iocluster.lab.load.target.LoadTarget;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.outage.RootCause;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The run of an agent, on its own thread. Thread-safe. */
public final class AgentWork implements RunListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentWork.class);

    /** Number of latest seconds in each announcement. They are repeated because a message may be lost. */
    private static final int LAST_POINTS = 5;

    private final Deque<TimePoint> points = new ArrayDeque<>();
    private LoadTarget target;
    private LoadRun run;
    private volatile RunResult result;
    private volatile String failure;

    /** Sets the run, which reports to this object. Call it once. */
    synchronized void setRun(LoadRun load, LoadTarget system) {
        run = load;
        target = system;
    }

    /** Starts the run. Its first phase starts after some microseconds. */
    synchronized void start(long delayMicros) {
        LoadRun started = run;
        long startNanos = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(delayMicros);
        DaemonThreadFactory.newThread("load-run", () -> run(started, startNanos))
                .start();
    }

    private void run(LoadRun started, long startNanos) {
        try {
            result = started.run(startNanos);
        } catch (RuntimeException | Error defect) {
            LOG.error("Run failed", defect);
            failure = "run failed: " + RootCause.message(defect);
        }
    }

    synchronized void stop(String reason) {
        run.stop(reason);
    }

    /** Returns the result; null before the end of the run. */
    RunResult result() {
        return result;
    }

    /** Returns why the run ended without a result; null if it did not. */
    String failure() {
        return failure;
    }

    @Override
    public synchronized void progress(Progress progress) {
        points.addLast(progress.point());
        if (points.size() > LAST_POINTS) {
            points.removeFirst();
        }
    }

    synchronized List<TimePoint> lastPoints() {
        return List.copyOf(points);
    }

    @Override
    public synchronized void close() {
        target.close();
    }
}
