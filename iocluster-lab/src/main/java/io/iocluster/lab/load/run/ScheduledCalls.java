package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.CallFactory;
import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.run.CallRecorder.EndListener;
import io.iocluster.lab.load.schedule.Schedule;

/** An open loop: the calls of a schedule. */
final class ScheduledCalls implements PhaseCalls {

    static final String NO_ROWS = "a feeder with order: unique has no rows left";

    private final Schedule schedule;
    private final CallFactory factory;
    private final CallRecorder recorder;
    private final PhaseRecorder phase;
    private long next;
    private CallSpec prepared;
    private volatile String problem;

    ScheduledCalls(Schedule schedule, CallFactory factory, CallRecorder recorder, PhaseRecorder phase) {
        this.schedule = schedule;
        this.factory = factory;
        this.recorder = recorder;
        this.phase = phase;
    }

    /** Prepares the call before it is due, so that its creation does not delay it. */
    @Override
    public long nextDueNanos() {
        if (next >= schedule.calls() || problem != null) {
            return END;
        }
        if (prepared == null) {
            prepared = factory.next();
            if (prepared == null) {
                problem = NO_ROWS;
                return END;
            }
        }
        return schedule.dueNanos(next);
    }

    @Override
    public void sendNext(long dueNanos) {
        CallSpec call = prepared;
        prepared = null;
        next++;
        recorder.send(call, dueNanos, phase, EndListener.NONE);
    }

    @Override
    public long dueBefore(long offsetNanos) {
        return schedule.callsBefore(offsetNanos);
    }

    @Override
    public long durationNanos() {
        return schedule.durationNanos();
    }

    @Override
    public String problem() {
        return problem;
    }
}
