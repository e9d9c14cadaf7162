package io.iocluster.pipeline.publish;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.thread.DaemonThreadFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Encodes large answers in the order in which their calls ended, when the byte budget has room for the answer and for the answers of
 * the open calls. An encoded answer may have six times the bytes of its body. If no encoded answer waits for the broker, the next one is
 * encoded in any case, so that the queue always makes progress. Other threads encode answers that would hold up an event loop for
 * milliseconds. Thread-safe, except {@link #tick}.
 */
public final class EncodingQueue {

    /** Maximum time that the supervisor's thread spends here before its other tasks. */
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Answers up to this size are encoded on the calling thread, usually an event loop: this takes about a millisecond. */
    private static final int MAX_BYTES_ON_CALLER = 256 * 1024;

    private static final int IDLE_THREAD_SECONDS = 10;

    private final InFlightWindow window;
    private final ThreadPoolExecutor threads;

    @GuardedBy("this")
    private final Queue<QueuedAnswer> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean closed;

    /** Encodes and publishes the answer to an ended call. */
    private record QueuedAnswer(Call call, int bytes, Runnable publish) implements Runnable {

        @Override
        public void run() {
            try {
                publish.run();
            } catch (Throwable bug) {
                call.reportDefect(bug);
            }
        }
    }

    public EncodingQueue(InFlightWindow window) {
        this.window = window;
        // Half of the processors stay free for the event loops.
        int maxThreads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.threads = new ThreadPoolExecutor(
                maxThreads,
                maxThreads,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DaemonThreadFactory("iocluster-encoder"));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Publishes the answer now or after those that wait, and adds these bytes to the call's permit first.
     *
     * @param call a call that has {@linkplain Call#tryEnd ended}
     */
    void publish(Call call, int bytes, Runnable publish) {
        QueuedAnswer answer = new QueuedAnswer(call, bytes, publish);
        // Each thread that adds an answer starts one, so that the queue does not depend on one thread.
        QueuedAnswer next = mayEncodeNow(answer) ? answer : next();
        if (next != null) {
            encode(next);
        }
    }

    private synchronized boolean mayEncodeNow(QueuedAnswer answer) {
        if (closed) {
            answer.call().permit().addBytes(answer.bytes());
            return true;
        }
        if (waiting.isEmpty() && answer.call().permit().tryReserveToEncode(answer.bytes())) {
            return true;
        }
        waiting.add(answer);
        return false;
    }

    /** Encodes an answer whose bytes are reserved. */
    private void encode(QueuedAnswer next) {
        if (next.bytes() <= MAX_BYTES_ON_CALLER || !tryEncodeOnOwnThread(next)) {
            next.run();
        }
    }

    /** Returns false if the queue is closed or the machine cannot start a thread. */
    private boolean tryEncodeOnOwnThread(QueuedAnswer next) {
        try {
            threads.execute(next);
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        } catch (Throwable noThread) {
            threads.remove(next);
            return false;
        }
    }

    /** Encodes waiting answers. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        long end = System.nanoTime() + MAX_TICK_NANOS;
        for (QueuedAnswer next = next(); next != null; next = System.nanoTime() < end ? next() : null) {
            encode(next);
        }
    }

    private synchronized QueuedAnswer next() {
        QueuedAnswer first = waiting.peek();
        if (first == null) {
            return null;
        }
        if (!first.call().permit().tryReserveToEncode(first.bytes())) {
            if (window.unconfirmed() - window.exemptAnswers() > waiting.size()) {
                return null;
            }
            first.call().permit().addBytes(first.bytes());
        }
        return waiting.remove();
    }

    /** Removes all answers whose encoding has not started, because the node stops. Returns their calls. */
    public synchronized List<Call> close() {
        closed = true;
        List<Call> left = new ArrayList<>();
        List<Runnable> unstarted = new ArrayList<>();
        threads.getQueue().drainTo(unstarted);
        threads.shutdown();
        unstarted.forEach(each -> left.add(((QueuedAnswer) each).call()));
        waiting.forEach(each -> left.add(each.call()));
        waiting.clear();
        return left;
    }
}
