package io.iocluster.egress;

import io.iocluster.message.BoundedText;
import io.iocluster.message.ErrorCode;

/**
 * Why a call is not even tried.
 *
 * @param code stable
 * @param message human-readable; holds no path, no query and no header's value; {@linkplain BoundedText bounded}
 */
public record Rejection(ErrorCode code, String message) implements UrlCheckResult {

    public Rejection {
        message = BoundedText.truncate(message);
    }
}
