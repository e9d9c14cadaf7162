package io.iocluster.egress;

import io.iocluster.message.BoundedText;
import io.iocluster.message.ErrorCode;

/**
 * Reason why a call is not made.
 *
 * @param code stable error code
 * @param message human-readable; contains no path, query or header value; {@linkplain BoundedText bounded}
 */
public record Rejection(ErrorCode code, String message) implements UrlCheckResult {

    public Rejection {
        message = BoundedText.truncate(message);
    }
}
