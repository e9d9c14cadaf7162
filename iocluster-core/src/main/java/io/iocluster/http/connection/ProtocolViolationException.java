package io.iocluster.http.connection;

import io.netty.handler.codec.CodecException;

/** Thrown when the target violates the HTTP protocol. */
public final class ProtocolViolationException extends CodecException {

    private static final long serialVersionUID = 1;

    public ProtocolViolationException(String message) {
        super(message);
    }

    /** Skips the stack trace, because the fault is the target's. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
