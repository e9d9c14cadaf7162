package io.iocluster.http;

/** What becomes of an answer whose body is over the limit. */
public enum BodyTooLargePolicy {
    /** What fits is the answer, which says that it was cut off. */
    TRUNCATE,
    /** The call fails. */
    FAIL
}
