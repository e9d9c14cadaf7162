package io.iocluster.pipeline.publish;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.CallPermit;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.outbox.AnswerSize;
import io.iocluster.thread.BoundedExecutor;
import io.iocluster.thread.Platform;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Encodes large answers when enough bytes are free for the answer and for the answers of the open calls. Keeps the order in which
 * the calls of one {@linkplain AnswerSize size class} ended. An encoded answer may have six times the bytes of its body. If no
 * encoded answer of the class waits for the broker, the next one is encoded in any case, so that each class always makes progress. Other
 * threads encode answers that would block an event loop for milliseconds. Thread-safe, except {@link #tick}.
 */
public final class EncodingQueue {

    /** Maximum time that the supervisor's thread spends here before its other tasks. */
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Answers up to this size are encoded on the calling thread, usually an event loop: this takes about a millisecond. */
    private static final int MAX_BYTES_ON_CALLER = 256 * 1024;

    private final InFlightWindow window;
    private final Platform platform;
    private final BoundedExecutor threads;

    /** By the ordinal of {@link AnswerSize}. */
    @GuardedBy("this")
    private final List<SizeClass> classes =
            Stream.generate(SizeClass::new).limit(AnswerSize.COUNT).toList();

    /** The index of the class whose turn is next. */
    @GuardedBy("this")
    private int turn;

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

    /** The answers of one class. */
    private static final class SizeClass {

        private final Queue<QueuedAnswer> waiting = new ArrayDeque<>(0);

        /** The permit of the call whose answer was encoded last; null if there is none. */
        private CallPermit last;

        boolean hasUnconfirmed() {
            return last != null && !last.isReleased();
        }
    }

    public EncodingQueue(InFlightWindow window, Platform platform) {
        this.window = window;
        this.platform = platform;
        // Half of the processors stay free for the event loops.
        int maxThreads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        this.threads = new BoundedExecutor(platform.newThreads("iocluster-encoder"), maxThreads);
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
        SizeClass its = classes.get(AnswerSize.of(answer.bytes()).ordinal());
        if (its.waiting.isEmpty() && answer.call().permit().tryReserveToEncode(answer.bytes())) {
            its.last = answer.call().permit();
            return true;
        }
        its.waiting.add(answer);
        return false;
    }

    /** Encodes an answer whose bytes are reserved. */
    private void encode(QueuedAnswer next) {
        if (next.bytes() <= MAX_BYTES_ON_CALLER || !offerToThreads(next)) {
            next.run();
        }
    }

    /** Returns false if the queue is closed. */
    private boolean offerToThreads(QueuedAnswer next) {
        try {
            threads.execute(next);
            return true;
        } catch (RejectedExecutionException closing) {
            return false;
        }
    }

    /** Encodes waiting answers. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        long end = platform.nanos() + MAX_TICK_NANOS;
        for (QueuedAnswer next = next(); next != null; next = platform.nanos() - end < 0 ? next() : null) {
            encode(next);
        }
    }

    /** Removes an answer that may be encoded, of each class in turn. Returns null if there is none. */
    private synchronized QueuedAnswer next() {
        for (int tried = 0; tried < AnswerSize.COUNT; tried++) {
            SizeClass its = classes.get(turn);
            turn = (turn + 1) % AnswerSize.COUNT;
            QueuedAnswer first = its.waiting.peek();
            if (first != null && tryReserve(first, its)) {
                its.last = first.call().permit();
                return its.waiting.remove();
            }
        }
        return null;
    }

    @GuardedBy("this")
    private boolean tryReserve(QueuedAnswer first, SizeClass its) {
        if (first.call().permit().tryReserveToEncode(first.bytes())) {
            return true;
        }
        if (its.hasUnconfirmed() && window.unconfirmed() - window.exemptAnswers() > waiting()) {
            return false;
        }
        first.call().permit().addBytes(first.bytes());
        return true;
    }

    @GuardedBy("this")
    private int waiting() {
        return classes.stream().mapToInt(each -> each.waiting.size()).sum();
    }

    /** Removes all answers whose encoding has not started, because the node stops. Returns their calls. */
    public synchronized List<Call> close() {
        closed = true;
        List<Call> left = new ArrayList<>();
        threads.close().forEach(answer -> left.add(((QueuedAnswer) answer).call()));
        for (SizeClass each : classes) {
            each.waiting.forEach(answer -> left.add(answer.call()));
            each.waiting.clear();
        }
        return left;
    }
}
