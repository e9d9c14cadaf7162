package io.iocluster.http.connect;

import io.iocluster.message.ErrorCode;

/**
 * Reason why no connection was opened. No byte of a request was sent.
 *
 * @param message human-readable
 * @param cause for the log; null if the code and the message are enough
 */
public record DialFailure(ErrorCode code, String message, Throwable cause) {}
