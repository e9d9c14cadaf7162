package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.CallFactory;
import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.schedule.Pacer;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A closed loop: each user makes a call, waits for its answer, pauses, and makes the next call. A call is due at the end of the
 * pause.
 */
final class UserCalls implements PhaseCalls {

    private final CallFactory factory;
    private final CallRecorder recorder;
    private final PhaseRecorder phase;
    private final long startNanos;
    private final long thinkNanos;
    private final long durationNanos;
    private final PriorityQueue<Long> waiting = new PriorityQueue<>();
    private final Queue<Long> answered = new ConcurrentLinkedQueue<>();
    private final AtomicLong sent = new AtomicLong();
    private boolean ended;
    private volatile Pacer pacer;
    private volatile String problem;

    /**
     * Creates the loop. The first calls of the users are spread over one pause.
     *
     * @param startNanos when the phase starts, by the clock
     */
    UserCalls(
            int users,
            long thinkNanos,
            long durationNanos,
            long startNanos,
            CallFactory factory,
            CallRecorder recorder,
            PhaseRecorder phase) {
        this.factory = factory;
        this.recorder = recorder;
        this.phase = phase;
        this.startNanos = startNanos;
        this.thinkNanos = thinkNanos;
        this.durationNanos = durationNanos;
        for (int user = 0; user < users; user++) {
            waiting.add(thinkNanos * user / users);
        }
    }

    /** Sets the pacer to wake when an answer arrives. Call it before the pacer starts. */
    void setPacer(Pacer pacer) {
        this.pacer = pacer;
    }

    /** Returns the end of the phase while all users wait. */
    @Override
    public long nextDueNanos() {
        for (Long due = answered.poll(); due != null; due = answered.poll()) {
            waiting.add(due);
        }
        if (ended || problem != null) {
            return END;
        }
        Long next = waiting.peek();
        return next == null ? durationNanos : Math.min(next, durationNanos);
    }

    @Override
    public void sendNext(long dueNanos) {
        if (dueNanos - startNanos >= durationNanos) {
            ended = true;
            return;
        }
        CallSpec call = factory.next();
        if (call == null) {
            problem = ScheduledCalls.NO_ROWS;
            return;
        }
        waiting.poll();
        sent.incrementAndGet();
        recorder.send(call, dueNanos, phase, nanos -> {
            answered.add(nanos - startNanos + thinkNanos);
            pacer.wakeUp();
        });
    }

    @Override
    public long dueBefore(long offsetNanos) {
        return sent.get();
    }

    @Override
    public long durationNanos() {
        return durationNanos;
    }

    @Override
    public String problem() {
        return problem;
    }
}
