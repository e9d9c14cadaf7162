package io.iocluster.http.connection;

import io.iocluster.http.Certainty;
import io.iocluster.message.ErrorCode;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http2.Http2Exception;
import java.io.IOException;
import javax.net.ssl.SSLException;

/**
 * Reason why an exchange ended without a whole response.
 *
 * @param message human-readable; contains no header, body or path
 * @param certainty what is known about the request
 * @param cause for the log; null if the code and the message are enough
 * @param next the connection that another try of the same request needs; the caller decides whether to try again
 */
public record ExchangeFailure(ErrorCode code, String message, Certainty certainty, Throwable cause, NextTry next) {

    /** The connection that another try needs. */
    public enum NextTry {
        /** Any connection. */
        ANY_CONNECTION,
        /** Any connection: the target ended this one after it accepted other requests, as a limit of requests for each connection does. */
        AFTER_OTHERS,
        /** A new one: the target closed a reused connection without a byte of a response, which it may do at any time (RFC 9112, section 9.3.1). */
        NEW_CONNECTION,
        /** One with HTTP/1.1: the target accepts this request over HTTP/1.1 only. */
        HTTP_1
    }

    /** Returns a failure after the connection was closed. */
    public static ExchangeFailure closed(Certainty certainty, NextTry next) {
        return new ExchangeFailure(
                ErrorCode.CONNECTION_CLOSED, ErrorCode.CONNECTION_CLOSED.description(), certainty, null, next);
    }

    /** Returns a failure because of what the target sent. */
    public static ExchangeFailure protocolError(String message, Certainty certainty) {
        return new ExchangeFailure(ErrorCode.PROTOCOL_ERROR, message, certainty, null, NextTry.ANY_CONNECTION);
    }

    /** Returns the failure that an exception on an open connection stands for. */
    public static ExchangeFailure of(Throwable thrown, Certainty certainty) {
        ErrorCode code = codeOf(thrown);
        String message = has(thrown, ProtocolViolationException.class) ? thrown.getMessage() : code.description();
        return new ExchangeFailure(code, message, certainty, thrown, NextTry.ANY_CONNECTION);
    }

    private static ErrorCode codeOf(Throwable thrown) {
        if (has(thrown, SSLException.class)) {
            return ErrorCode.TLS;
        }
        // The decoders also throw IllegalArgumentException for an invalid version, status or length, and
        // IndexOutOfBoundsException for a chunk size that is not ASCII.
        if (has(thrown, CodecException.class)
                || has(thrown, Http2Exception.class)
                || has(thrown, IllegalArgumentException.class)
                || has(thrown, IndexOutOfBoundsException.class)) {
            return ErrorCode.PROTOCOL_ERROR;
        }
        return has(thrown, IOException.class) ? ErrorCode.CONNECTION_CLOSED : ErrorCode.INTERNAL;
    }

    private static boolean has(Throwable thrown, Class<? extends Throwable> type) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }
}
