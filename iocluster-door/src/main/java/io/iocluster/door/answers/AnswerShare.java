package io.iocluster.door.answers;

/**
 * What one app has of the kept answers.
 *
 * @param count number of its kept answers
 * @param bytes their size
 * @param streams number of its open streams
 */
public record AnswerShare(int count, long bytes, int streams) {

    /** The share of an app without answers and streams. */
    public static final AnswerShare NONE = new AnswerShare(0, 0, 0);

    /** Returns the sum of both shares. */
    public AnswerShare plus(AnswerShare other) {
        return new AnswerShare(count + other.count, bytes + other.bytes, streams + other.streams);
    }
}
