package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.pipeline.PendingAnswer.Stage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Holds the unconfirmed answers to one reply place: those that the broker's client holds, and those that wait in the node. A
 * place is shut while it confirms nothing: then one answer at a time is published to it. For any thread, except where a method
 * says otherwise; the queues are guarded by this.
 */
final class AnswerPlace {

    private static final int BYTES_BITS = 43;
    private static final long ONE = 1L << BYTES_BITS;
    private static final long BYTES_MASK = ONE - 1;
    private static final int FAILURES_UNTIL_SHUT = 3;
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LAST_RETRY = Duration.ofSeconds(5);

    private final Stage stage;

    /** What the broker's client holds: the count in the upper bits, the bytes in the lower ones. */
    private final AtomicLong published = new AtomicLong();

    private volatile int waiting;
    private volatile boolean shut;
    private volatile boolean progressed;
    /** Failed publishes since the last confirmation. */
    private volatile int failures;

    private volatile long probeNanos;

    /** Answers that were never published at this place, or for whose bytes it has no room. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> fresh = new ArrayDeque<>(0);

    /** Answers whose publishing failed here before. */
    @GuardedBy("this")
    private final Deque<PendingAnswer> failed = new ArrayDeque<>(0);

    @GuardedBy("this")
    private long waitingBytes;

    /** When it last confirmed an answer or had none to confirm. Confined to the tick. */
    private long calmNanos;

    AnswerPlace(Stage stage, long runningNanos) {
        this.stage = stage;
        this.calmNanos = runningNanos;
    }

    Stage stage() {
        return stage;
    }

    /** Counts an answer as held by the broker's client. Returns false, and counts nothing, if the place has no room for it. */
    boolean tryPublish(long bytes, long maxBytes) {
        if (shut) {
            return false;
        }
        long before = published.getAndAdd(ONE + bytes);
        if (before != 0 && (before & BYTES_MASK) + bytes > maxBytes) {
            published.addAndGet(-ONE - bytes);
            return false;
        }
        return true;
    }

    /** Records that the broker's client no longer holds the answer. */
    void left(long bytes) {
        published.addAndGet(-ONE - bytes);
    }

    void confirmed() {
        if (!progressed) {
            progressed = true;
        }
        if (failures != 0) {
            failures = 0;
        }
        if (shut) {
            shut = false;
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // A lost increment shuts the place one failure later.
    void failed(boolean unknown, long now) {
        int count = ++failures;
        if (unknown || count >= FAILURES_UNTIL_SHUT) {
            shut = true;
        }
        probeNanos = now + retryNanos(count);
    }

    static long retryNanos(int failures) {
        return Math.min(LAST_RETRY.toNanos(), FIRST_RETRY.toNanos() << Math.min(10, failures - 1));
    }

    synchronized void park(PendingAnswer answer) {
        (answer.failures == 0 ? fresh : failed).add(answer);
        waitingBytes += answer.bytes();
        waiting = fresh.size() + failed.size();
    }

    boolean hasWaiting() {
        return waiting > 0;
    }

    /**
     * Removes the next answer that may be published, and counts it as held by the broker's client.
     *
     * @return null if there is none, or no room
     */
    synchronized PendingAnswer nextToPublish(long now, long maxBytes) {
        PendingAnswer next = peekDue(now);
        return next != null && tryPublish(next.bytes(), maxBytes) ? taken(next) : null;
    }

    /** Like {@link #nextToPublish} for a place that is shut: returns one answer at a time, to probe whether it confirms again. */
    synchronized PendingAnswer nextProbe(long now) {
        if (!shut || published.get() != 0 || now - probeNanos < 0) {
            return null;
        }
        // An answer that failed may fail for a reason of its own, so one that was never tried goes first.
        PendingAnswer next = fresh.isEmpty() ? peekDue(now) : fresh.peek();
        if (next == null) {
            return null;
        }
        published.addAndGet(ONE + next.bytes());
        return taken(next);
    }

    @GuardedBy("this")
    private PendingAnswer peekDue(long now) {
        PendingAnswer again = failed.peek();
        return again != null && now - again.notBeforeNanos >= 0 ? again : fresh.peek();
    }

    @GuardedBy("this")
    private PendingAnswer taken(PendingAnswer next) {
        (next == failed.peek() ? failed : fresh).poll();
        forget(next);
        return next;
    }

    @GuardedBy("this")
    private void forget(PendingAnswer answer) {
        waitingBytes -= answer.bytes();
        waiting = fresh.size() + failed.size();
    }

    /** Removes matching waiting answers, oldest first, until at most that many answers and bytes wait. */
    synchronized List<PendingAnswer> removeWaiting(Predicate<PendingAnswer> wanted, int mostLeft, long mostBytesLeft) {
        List<PendingAnswer> removed = new ArrayList<>();
        remove(failed.iterator(), wanted, mostLeft, mostBytesLeft, removed);
        remove(fresh.iterator(), wanted, mostLeft, mostBytesLeft, removed);
        return removed;
    }

    @GuardedBy("this")
    private void remove(
            Iterator<PendingAnswer> queue,
            Predicate<PendingAnswer> wanted,
            int mostLeft,
            long mostBytesLeft,
            List<PendingAnswer> removed) {
        while ((waiting > mostLeft || waitingBytes > mostBytesLeft) && queue.hasNext()) {
            PendingAnswer answer = queue.next();
            if (wanted.test(answer)) {
                queue.remove();
                removed.add(answer);
                forget(answer);
            }
        }
    }

    /** Removes all waiting answers. */
    List<PendingAnswer> removeAll() {
        return removeWaiting(answer -> true, 0, 0);
    }

    /** Shuts the place if it has confirmed nothing for that long while it could have. Called by the tick. */
    void observe(long runningNanos, long slowAfterNanos) {
        boolean moved = progressed;
        progressed = false;
        if (moved || publishedCount() == 0) {
            calmNanos = runningNanos;
        } else if (runningNanos - calmNanos >= slowAfterNanos) {
            shut = true;
        }
    }

    boolean isShut() {
        return shut;
    }

    boolean isIdle() {
        return published.get() == 0 && waiting == 0;
    }

    private int publishedCount() {
        return (int) (published.get() >>> BYTES_BITS);
    }

    /** Returns how many answers do not count as unconfirmed: those of a slow place, and those that wait at any place. */
    int late() {
        return waiting + (shut ? publishedCount() : 0);
    }

    /** Returns the bytes of {@link #late}. */
    synchronized long lateBytes() {
        return waitingBytes + (shut ? published.get() & BYTES_MASK : 0);
    }

    int waiting() {
        return waiting;
    }
}
