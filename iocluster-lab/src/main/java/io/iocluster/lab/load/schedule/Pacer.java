package io.iocluster.lab.load.schedule;

import io.iocluster.thread.DaemonThreadFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends calls in an open loop: each when it is due, whether or not earlier calls have ended. Sends from a separate thread.
 * Thread-safe.
 */
public final class Pacer {

    private final Thread thread;
    private final LoadClock clock;
    private final long startNanos;
    private final CallQueue calls;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean stopped;

    /** Sends calls. Confined to the pacer's thread. */
    public interface CallSink {

        /** Sends the call with this number, counted from 0. */
        void send(long number, long dueNanos);
    }

    /** The calls in the order of their due times. Confined to the pacer's thread. */
    public interface CallQueue {

        /** The value of {@link #nextDueNanos} if there are no more calls. */
        long END = Long.MAX_VALUE;

        /** Returns when the next call is due, in nanoseconds since the start of the pacer, or {@link #END}. */
        long nextDueNanos();

        /** Sends the next call. */
        void sendNext(long dueNanos);
    }

    /**
     * Creates a pacer that is not started.
     *
     * @param startNanos when the queue's offsets start, by the clock
     */
    public Pacer(String threadName, LoadClock clock, long startNanos, CallQueue calls) {
        this.thread = DaemonThreadFactory.newThread(threadName, this::run);
        this.clock = clock;
        this.startNanos = startNanos;
        this.calls = calls;
    }

    /** Creates a pacer of a schedule by the clock of the process; it is not started. */
    public static Pacer of(long startNanos, Schedule schedule, CallSink sink) {
        return new Pacer("pacer", LoadClock.SYSTEM, startNanos, queueOf(schedule, sink));
    }

    /** Returns the calls of a schedule. */
    static CallQueue queueOf(Schedule schedule, CallSink sink) {
        return new ScheduleQueue(schedule, sink);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!stopped) {
                long offset = calls.nextDueNanos();
                if (offset == CallQueue.END) {
                    break;
                }
                long due = startNanos + offset;
                long wait = due - clock.nanoTime();
                if (wait > 0) {
                    clock.parkNanos(wait);
                } else {
                    calls.sendNext(due);
                }
            }
            ended.complete(null);
        } catch (RuntimeException | Error defect) {
            ended.completeExceptionally(defect);
        }
    }

    /** Sends nothing more. A call that is being sent is completed. */
    public void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    /** Makes the pacer ask its queue again, because a call may be due earlier. */
    public void wakeUp() {
        LockSupport.unpark(thread);
    }

    /** Returns a future that completes when all calls are sent or the pacer is stopped; exceptionally if the queue failed. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    /** Waits until all calls are sent. */
    public void awaitSent() {
        ended.join();
    }

    /** The calls of a schedule. */
    private static final class ScheduleQueue implements CallQueue {

        private final Schedule schedule;
        private final CallSink sink;
        private long next;

        ScheduleQueue(Schedule schedule, CallSink sink) {
            this.schedule = schedule;
            this.sink = sink;
        }

        @Override
        public long nextDueNanos() {
            return next < schedule.calls() ? schedule.dueNanos(next) : END;
        }

        @Override
        public void sendNext(long dueNanos) {
            sink.send(next++, dueNanos);
        }
    }
}
