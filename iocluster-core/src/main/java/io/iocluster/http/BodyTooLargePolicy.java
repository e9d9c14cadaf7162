package io.iocluster.http;

/** How a response body over the limit is treated. */
public enum BodyTooLargePolicy {
    /** The answer has the bytes that fit and is marked as truncated. */
    TRUNCATE,
    /** The call fails with {@code response-too-large}. */
    FAIL
}
