package io.iocluster.pipeline.worker;

import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.NodeClock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Ends calls that outlive their deadline by a second because of a defect. Sweeps measure this second, so that a pause of the whole node
 * ends no calls. A sweep does not count for a call whose event loop is late, because the loop ends the call when it gets CPU; a
 * loop that stays late is replaced. Confined to the supervisor's thread.
 */
public final class Watchdog {

    /** The interval of the heartbeats, so that each sweep sees the result of a new one. */
    public static final long SWEEP_INTERVAL_MILLIS = LoopHeartbeat.INTERVAL_MILLIS;

    private static final int GRACE_SWEEPS = 10;
    private static final String MESSAGE = "the call outlived its deadline and was ended by the watchdog";
    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);

    private final OpenCalls open;
    private final BooleanSupplier heartbeat;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final LogThrottle endedLog;

    /**
     * Creates a watchdog.
     *
     * @param heartbeat requests a heartbeat of every loop and returns whether one is late; called once a sweep
     */
    public Watchdog(OpenCalls open, BooleanSupplier heartbeat, PipelineEvents events, NodeClock clock) {
        this.open = open;
        this.heartbeat = heartbeat;
        this.events = events;
        this.clock = clock;
        this.endedLog = new LogThrottle(LOG, clock::nanos);
    }

    /** Checks all open calls. Called every {@value #SWEEP_INTERVAL_MILLIS} ms. */
    public void sweep() {
        boolean anyLate = heartbeat.getAsBoolean();
        long now = clock.nanos();
        for (Call call : open) {
            if (call.deadline().remainingNanos(now) <= 0
                    && !waitsForLoop(call, anyLate)
                    && call.progress().countOverdueSweep() > grace(call)) {
                end(call);
            }
        }
    }

    /** Returns whether the loop of the call is late. The branches of a scatter-gather message may be on any loop. */
    private static boolean waitsForLoop(Call call, boolean anyLate) {
        return call.target() == null ? anyLate : call.progress().isHeldByLateOwner();
    }

    /** A scatter-gather message gets one more sweep, because it ends when its branches end. */
    private static int grace(Call call) {
        return call.target() == null ? GRACE_SWEEPS + 1 : GRACE_SWEEPS;
    }

    private void end(Call call) {
        if (!call.tryEnd()) {
            return;
        }
        endedLog.log(
                Level.ERROR,
                call::addTo,
                "Call outlived its deadline and was ended source={} destination={} attempts={} started={}",
                call.delivery().coordinates(),
                call.destinationName(),
                call.progress().attempts(),
                call.progress().isAttemptStarted());
        events.watchdogTimeout(call.destinationName());
        if (call.progress().isAttemptStarted()) {
            call.reportFailure(ErrorCode.INTERNAL, MESSAGE, call.progress().sentSoFar(), AttemptTiming.NONE);
        } else {
            ErrorCode late = ErrorCode.DEADLINE_EXCEEDED;
            call.reportFailure(late, late.description(), call.progress().sentSoFar(), AttemptTiming.NONE);
        }
        call.cancelAttempt();
    }
}
