package io.iocluster.pipeline.outbox;

/**
 * The size class of an encoded answer. Answers of different classes do not wait for each other in the node, because a broker takes
 * thousands of small ones in the time of one large one.
 */
public enum AnswerSize {
    /** At most 64 KiB. Most answers are small, so they get the largest part of what the broker's client holds. */
    SMALL(2),
    /** At most 1 MiB. */
    MEDIUM(4),
    /** More than 1 MiB. */
    LARGE(4);

    /** The number of classes. */
    public static final int COUNT = values().length;

    private static final int MAX_SMALL = 64 << 10;
    private static final int MAX_MEDIUM = 1 << 20;

    /** The part of {@code answers.max-bytes-per-reply-to}: one in this number. */
    private final int part;

    AnswerSize(int part) {
        this.part = part;
    }

    /** Returns the class of an answer of this size. */
    public static AnswerSize of(int bytes) {
        if (bytes <= MAX_SMALL) {
            return SMALL;
        }
        return bytes <= MAX_MEDIUM ? MEDIUM : LARGE;
    }

    /** Returns how many of these bytes the class may use. */
    long partOf(long maxBytes) {
        return maxBytes / part;
    }
}
