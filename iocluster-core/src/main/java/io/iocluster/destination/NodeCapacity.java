package io.iocluster.destination;

/**
 * Counts and limits what all calls hold on the node. Thread-safe. Destinations read the free capacity, which other
 * threads may change at any time; only {@link CallPermit} acquires and releases.
 */
public interface NodeCapacity {

    /** Returns the number of slots for calls in flight, free or not. */
    int slots();

    /** Returns the free slots for calls in flight. */
    int freeSlots();

    /** Returns how many more calls may wait. */
    int freeQueueSlots();

    /** Returns the bytes that further messages may hold. */
    long freeBytes();

    /** Returns the bytes that all messages may hold, free or not. */
    long maxMessageBytes();

    /** Returns the total of bytes that calls in flight may reserve, already reserved or not. */
    long reservableBytes();

    /** Returns how many bytes to keep free for an answer of at most this size. */
    int answerHeadroom(int maxAnswerBytes);

    /**
     * Acquires a slot for a call.
     *
     * @param hasWaited whether the call has waited in a queue; such a call stays there while too many answers are
     *     unconfirmed
     * @param reserve bytes to reserve; if they do not fit, no slot is acquired, except that a call that is alone starts
     *     anyway
     * @param answerHeadroom bytes to keep free for the call's answer, under the same condition
     */
    boolean tryAcquireSlot(boolean hasWaited, int reserve, int answerHeadroom);

    /** Releases a slot, its reserved bytes, and the bytes that stay free for its answer. The call goes back to waiting. */
    void releaseSlot(long reserve, int answerHeadroom);

    /** Reserves bytes for an answer in flight, if they fit. */
    boolean tryReserveBytes(long wanted);

    /** Reserves bytes to encode an answer, if enough stay free for the answers of the calls in flight. */
    boolean tryReserveBytesToEncode(long wanted);

    /**
     * Counts the result of one call of a message that has several calls. It is kept until all of them have ended.
     *
     * @param keptByMessage the bytes of the message's results that are counted already
     * @return false, and counts nothing, if the message or all such messages together may keep no more
     */
    boolean tryKeepResult(long bytes, long keptByMessage);

    /** Removes bytes that {@link #tryKeepResult} has counted. */
    void releaseResults(long bytes);

    /** Counts bytes even if they do not fit. A negative number releases bytes. */
    void addBytes(long more);

    /** Counts a second attempt that has acquired a slot. It is no call itself. */
    void hedgeStarted();

    /**
     * Counts a call as ended and unconfirmed, or a second attempt as ended.
     *
     * @param hadSlot whether it releases a slot, and the bytes that stay free for its answer
     * @param hedge whether it was a second attempt
     */
    void callEnded(boolean hadSlot, int answerHeadroom, boolean hedge);

    /**
     * Removes a call whose answer is confirmed, or a second attempt, with the bytes that it still holds.
     *
     * @param hedge whether it was a second attempt
     */
    void permitReleased(long bytes, boolean hedge);

    /** Removes a call that has never started, as if it had never been acquired. */
    void permitWithdrawn(long bytes);

    /** Counts a release of a permit that was released before. */
    void permitReleasedTwice();
}
