package io.iocluster.pipeline.capacity;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes that the node holds at once: messages, answers and results. Keeps a headroom free for the answers of calls in flight.
 * Thread-safe.
 */
final class ByteBudget {

    /** The part of the bytes that results of messages with several calls may take. Their calls start only when they are expected to fit. */
    private static final int PART_OF_RESULTS = 4;

    private final AtomicLong used = new AtomicLong();
    /** Bytes that calls in flight without a reservation may take for their answers. */
    private final AtomicLong answerHeadroom = new AtomicLong();

    /** Bytes of results that messages with several calls keep. They are also counted in {@code used}. */
    private final AtomicLong keptResults = new AtomicLong();

    private volatile long max;

    ByteBudget(long max) {
        this.max = max;
    }

    void resize(long newMax) {
        max = newMax;
    }

    /** Returns whether a message of this size may be added. If the budget is unused, a message of any size may be added. */
    boolean canAcceptMessage(long messageBytes) {
        long before = used.get();
        return before == 0 || before + messageBytes <= maxMessageBytes();
    }

    /** Returns whether an attempt may reserve and keep free this many bytes. */
    boolean canStartAttempt(int reserve, int headroom) {
        long after = used.get() + reserve;
        return (reserve == 0 || after <= max) && (headroom == 0 || after + answerHeadroom.get() + headroom <= max);
    }

    /** Reserves and keeps free the bytes of an attempt, or does nothing and returns false. */
    boolean tryStartAttempt(int reserve, int headroom, boolean evenIfFull) {
        if (headroom == 0 || tryKeepAnswerHeadroom(headroom)) {
            if (reserve == 0 || tryReserve(reserve)) {
                return true;
            }
            answerHeadroom.addAndGet(-headroom);
        }
        if (evenIfFull) {
            used.addAndGet(reserve);
            answerHeadroom.addAndGet(headroom);
        }
        return evenIfFull;
    }

    /**
     * Adds to the headroom, if it fits beside the bytes in use. Adds before it reads the bytes in use: if two threads do so at the same
     * time, at least one sees what the other added. If both fail because of that, they try again at the next tick.
     */
    private boolean tryKeepAnswerHeadroom(long headroom) {
        long kept = answerHeadroom.addAndGet(headroom);
        if (used.get() + kept > max) {
            answerHeadroom.addAndGet(-headroom);
            return false;
        }
        return true;
    }

    void releaseAnswerHeadroom(int headroom) {
        answerHeadroom.addAndGet(-headroom);
    }

    /** Reserves bytes if the headroom for the answers of the calls in flight stays free. */
    boolean tryReserveBesideAnswerHeadroom(long wanted) {
        if (!tryKeepAnswerHeadroom(wanted)) {
            return false;
        }
        boolean reserved = tryReserve(wanted);
        answerHeadroom.addAndGet(-wanted);
        return reserved;
    }

    /** Reserves bytes. Does not count them even briefly if they do not fit, because an answer that needs bytes then would fail. */
    boolean tryReserve(long wanted) {
        long before = used.get();
        while (before + wanted <= max) {
            if (used.compareAndSet(before, before + wanted)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    /** Counts a result of a message as kept. One message gets at most half of what all results may have. */
    boolean tryKeepResult(long wanted, long keptByMessage) {
        if (keptByMessage + wanted > maxResults() / 2) {
            return false;
        }
        if (keptResults.addAndGet(wanted) > maxResults()) {
            keptResults.addAndGet(-wanted);
            return false;
        }
        return true;
    }

    void releaseResults(long released) {
        keptResults.addAndGet(-released);
    }

    /** Adds bytes even if too few are free. A negative number releases bytes. */
    void add(long more) {
        used.addAndGet(more);
    }

    long used() {
        return used.get();
    }

    long keptHeadroom() {
        return answerHeadroom.get();
    }

    long max() {
        return max;
    }

    /** Returns the maximum bytes of results that all messages with several calls may keep. One message may keep half of that. */
    long maxResults() {
        return max / PART_OF_RESULTS;
    }

    /** Returns how many bytes messages may take. They leave a quarter to the answers of calls in flight. */
    long maxMessageBytes() {
        return max - max / 4;
    }

    /** Returns how many bytes all calls in flight may reserve: five eighths, so that an eighth is left to new messages. */
    long reservableBytes() {
        return max / 8 * 5;
    }
}
