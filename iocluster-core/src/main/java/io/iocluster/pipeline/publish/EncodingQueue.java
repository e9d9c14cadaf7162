package io.iocluster.pipeline.publish;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.capacity.InFlightWindow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Encodes large answers in the order in which their calls ended, when the byte budget has room for the answer and for the answers of
 * the open calls. An encoded answer may have six times the bytes of its body. If no encoded answer waits for the broker, the next one is
 * encoded in any case, so that the queue always makes progress. Thread-safe, except {@link #tick}.
 */
public final class EncodingQueue {

    /** Maximum time that the supervisor's thread spends here before its other tasks. */
    private static final long MAX_TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final InFlightWindow window;

    @GuardedBy("this")
    private final Queue<QueuedAnswer> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean closed;

    /** Encodes and publishes the answer to an ended call. */
    private record QueuedAnswer(Call call, int bytes, Runnable publish) {}

    public EncodingQueue(InFlightWindow window) {
        this.window = window;
    }

    /**
     * Publishes the answer now or after those that wait, and adds these bytes to the call's permit first.
     *
     * @param call a call that has {@linkplain Call#tryEnd ended}
     */
    void publish(Call call, int bytes, Runnable publish) {
        if (mayPublishNow(call, bytes, publish)) {
            publish.run();
        } else {
            // Each thread that adds an answer encodes one, so that the queue does not depend on one thread.
            encode(next());
        }
    }

    private synchronized boolean mayPublishNow(Call call, int bytes, Runnable publish) {
        if (closed) {
            call.permit().addBytes(bytes);
            return true;
        }
        if (waiting.isEmpty() && call.permit().tryReserveToEncode(bytes)) {
            return true;
        }
        waiting.add(new QueuedAnswer(call, bytes, publish));
        return false;
    }

    private static void encode(QueuedAnswer next) {
        if (next == null) {
            return;
        }
        try {
            next.publish().run();
        } catch (Throwable bug) {
            next.call().reportDefect(bug);
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

    /** Removes all waiting answers, because the node stops. Returns their calls. */
    public synchronized List<Call> close() {
        closed = true;
        List<Call> left = new ArrayList<>();
        waiting.forEach(each -> left.add(each.call()));
        waiting.clear();
        return left;
    }
}
