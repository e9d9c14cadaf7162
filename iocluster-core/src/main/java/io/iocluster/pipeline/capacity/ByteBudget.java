package io.iocluster.pipeline.capacity;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes that the node holds at once: messages, answers and results. It also keeps room for the answers of calls in flight.
 * Thread-safe.
 */
final class ByteBudget {

    /** The part of the bytes that results of messages with several calls may take. Their calls start only when they are expected to fit. */
    private static final int PART_OF_RESULTS = 4;

    private final AtomicLong used = new AtomicLong();
    /** Bytes that calls in flight without a reservation may take for their answers. */
    private final AtomicLong answerRoom = new AtomicLong();

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
    boolean hasRoomForMessage(long messageBytes) {
        long before = used.get();
        return before == 0 || before + messageBytes <= maxMessageBytes();
    }

    /** Returns whether an attempt may reserve and keep free this many bytes. */
    boolean hasRoomForAttempt(int reserve, int room) {
        long after = used.get() + reserve;
        return (reserve == 0 || after <= max) && (room == 0 || after + answerRoom.get() + room <= max);
    }

    /** Reserves and keeps free the bytes of an attempt, or does nothing and returns false. */
    boolean tryStartAttempt(int reserve, int room, boolean evenIfFull) {
        if (room == 0 || tryKeepAnswerRoom(room)) {
            if (reserve == 0 || tryReserve(reserve)) {
                return true;
            }
            answerRoom.addAndGet(-room);
        }
        if (evenIfFull) {
            used.addAndGet(reserve);
            answerRoom.addAndGet(room);
        }
        return evenIfFull;
    }

    /**
     * Keeps room beside the bytes in use. Adds it before it reads the bytes: if two threads keep room at the same time, at least one sees
     * the room of the other. If both fail because of that, they try again at the next tick.
     */
    private boolean tryKeepAnswerRoom(long room) {
        long kept = answerRoom.addAndGet(room);
        if (used.get() + kept > max) {
            answerRoom.addAndGet(-room);
            return false;
        }
        return true;
    }

    void releaseAnswerRoom(int room) {
        answerRoom.addAndGet(-room);
    }

    /** Reserves bytes if the answers of the calls in flight still have room after that. */
    boolean tryReserveBesideAnswerRoom(long wanted) {
        if (!tryKeepAnswerRoom(wanted)) {
            return false;
        }
        boolean reserved = tryReserve(wanted);
        answerRoom.addAndGet(-wanted);
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

    /** Adds bytes even if there is no room for them. A negative number releases bytes. */
    void add(long more) {
        used.addAndGet(more);
    }

    long used() {
        return used.get();
    }

    long keptAnswerRoom() {
        return answerRoom.get();
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
