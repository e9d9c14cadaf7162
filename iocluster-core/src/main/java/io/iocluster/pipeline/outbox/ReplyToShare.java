package io.iocluster.pipeline.outbox;

/** The part of one reply-to in the {@link ReplyToShares}. Thread-safe. */
final class ReplyToShare {

    /** The share of a topic or queue that is no reply-to: without a limit. */
    static final ReplyToShare UNLIMITED = new ReplyToShare(null, null);

    private final String replyTo;
    /** Null if it has no limit. */
    private final ReplyToShares shares;

    /** Whether it has confirmed an answer and the broker has not said since that it does not exist. */
    private volatile boolean verified;
    /** Whether the broker's last answer was that it does not exist. */
    private volatile boolean missing;

    private ReplyToShare(String replyTo, ReplyToShares shares) {
        this.replyTo = replyTo;
        this.shares = shares;
        this.verified = shares == null || shares.isVerified(replyTo);
    }

    static ReplyToShare of(String replyTo, ReplyToShares shares) {
        return new ReplyToShare(replyTo, shares);
    }

    /**
     * Counts one more published answer.
     *
     * @param publishedBefore the answers to it that the broker's client holds
     * @return false, and counts nothing, if the share is used up
     */
    boolean tryTake(PendingAnswer answer, int publishedBefore) {
        if (shares == null) {
            return true;
        }
        boolean isVerified = verified;
        if (!shares.tryPublish(publishedBefore, isVerified)) {
            return false;
        }
        answer.publishedAsVerified = isVerified;
        return true;
    }

    /**
     * Records that the broker's client no longer holds an answer.
     *
     * @param asVerified its {@link PendingAnswer#publishedAsVerified} when it was published
     */
    void release(boolean asVerified) {
        if (shares != null) {
            shares.release(asVerified);
        }
    }

    void recordConfirmation() {
        if (!verified) {
            verified = true;
            missing = false;
            shares.verify(replyTo);
        }
    }

    /** Records that the broker says that the reply-to does not exist. */
    void recordUnknown() {
        if (shares != null) {
            missing = true;
            verified = false;
            shares.forget(replyTo);
        }
    }

    /** Returns whether the reply-to shares its limits with all others that have confirmed nothing. */
    boolean isUnverified() {
        return !verified;
    }

    /** Returns whether the broker's last answer was that the reply-to does not exist. */
    boolean isMissing() {
        return missing;
    }
}
