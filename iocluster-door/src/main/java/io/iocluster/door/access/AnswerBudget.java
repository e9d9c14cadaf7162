package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Limits the bytes of the responses that callers have not read, of which one app may have half. If they are too many, disconnects the
 * callers that have read nothing for longest, of the app that has most. Thread-safe.
 */
public final class AnswerBudget {

    private final LongSupplier clock;

    @GuardedBy("this")
    private long limit;

    @GuardedBy("this")
    private long timeoutNanos;

    /** The responses with unread bytes. The one whose caller has read nothing for longest is first. */
    @GuardedBy("this")
    private final Set<Unread> unread = new LinkedHashSet<>();

    /** The unread bytes. */
    @GuardedBy("this")
    private final BytesByApp held = new BytesByApp();

    @GuardedBy("this")
    private long disconnected;

    /**
     * Creates the budget.
     *
     * @param limit maximum number of bytes
     * @param timeout longest time until a caller has read a response, or a part of it
     * @param clock the monotonic time in nanoseconds
     */
    public AnswerBudget(long limit, Duration timeout, LongSupplier clock) {
        this.clock = clock;
        update(limit, timeout);
    }

    /** Changes the limits. */
    public synchronized void update(long newLimit, Duration timeout) {
        limit = newLimit;
        timeoutNanos = timeout.toNanos();
    }

    /** The unread bytes of one response. Its fields are guarded by the lock of the budget. */
    public final class Unread {
        private final String app;
        private final Runnable disconnect;

        private long bytes;

        private long sinceNanos;

        private boolean ended;

        private Unread(String app, Runnable disconnect) {
            this.app = app;
            this.disconnect = disconnect;
        }

        /** Adds bytes that the caller has to read. May disconnect callers, also this one. */
        public void add(long more) {
            List<Unread> slow;
            synchronized (AnswerBudget.this) {
                if (ended) {
                    return;
                }
                if (bytes == 0) {
                    expect(this);
                }
                count(this, more);
                slow = overLimit(this, more);
            }
            slow.forEach(each -> each.disconnect.run());
        }

        /** Removes bytes that the caller has read. */
        public void sent(long read) {
            synchronized (AnswerBudget.this) {
                if (!ended && read > 0) {
                    unread.remove(this);
                    count(this, -read);
                    if (bytes > 0) {
                        expect(this);
                    }
                }
            }
        }

        /** Removes all bytes, because the response has ended. */
        public void end() {
            synchronized (AnswerBudget.this) {
                remove(this);
            }
        }
    }

    @GuardedBy("this")
    private void expect(Unread response) {
        response.sinceNanos = clock.getAsLong();
        unread.add(response);
    }

    @GuardedBy("this")
    private void remove(Unread response) {
        unread.remove(response);
        count(response, -response.bytes);
        response.ended = true;
    }

    @GuardedBy("this")
    private void count(Unread response, long more) {
        response.bytes += more;
        held.add(response.app, more);
    }

    /**
     * Starts to count a response.
     *
     * @param app the name of the caller
     * @param disconnect closes the connection of the caller; must not block
     */
    public Unread open(String app, Runnable disconnect) {
        return new Unread(app, disconnect);
    }

    /**
     * Removes and returns the slowest callers of the app with the most bytes, until the limits are met. Spares the response that these
     * bytes were added to if it has no others, because its caller had no time to read.
     */
    @GuardedBy("this")
    private List<Unread> overLimit(Unread added, long more) {
        List<Unread> slow = new ArrayList<>();
        // Below half of the limit, no app can have more than half of it, and most responses need no search.
        while (held.total() > limit / 2 && (held.total() > limit || held.largest() > limit / 2)) {
            Unread slowest = slowestOfLargestApp();
            if (slowest == added && added.bytes == more) {
                break;
            }
            slow.add(slowest);
            remove(slowest);
        }
        disconnected += slow.size();
        return slow;
    }

    @GuardedBy("this")
    private Unread slowestOfLargestApp() {
        long most = held.largest();
        for (Unread each : unread) {
            // An app whose responses are all empty has none.
            if (held.of(each.app) == most) {
                return each;
            }
        }
        throw new IllegalStateException("no app has " + most + " unread bytes");
    }

    /** Disconnects the callers that have read no further part for too long. */
    public void disconnectStalled() {
        List<Unread> stalled = new ArrayList<>();
        synchronized (this) {
            long now = clock.getAsLong();
            Iterator<Unread> slowest = unread.iterator();
            while (slowest.hasNext()) {
                Unread each = slowest.next();
                if (now - each.sinceNanos < timeoutNanos) {
                    break;
                }
                stalled.add(each);
            }
            for (Unread each : stalled) {
                remove(each);
            }
            disconnected += stalled.size();
        }
        stalled.forEach(each -> each.disconnect.run());
    }

    /** Returns whether a call of the app may start: the app has at most a quarter of the limit, and all apps together three quarters. */
    public synchronized boolean mayStart(String app) {
        return held.of(app) <= limit / 4 && held.total() <= limit - limit / 4;
    }

    /** Returns the unread bytes. */
    public synchronized long held() {
        return held.total();
    }

    /** Returns the number of callers that were disconnected because they did not read. */
    public synchronized long disconnected() {
        return disconnected;
    }
}
