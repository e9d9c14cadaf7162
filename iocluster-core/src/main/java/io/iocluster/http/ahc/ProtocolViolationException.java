package io.iocluster.http.ahc;

import io.netty.handler.codec.CodecException;

/** The target said what no HTTP server may say at this point. */
final class ProtocolViolationException extends CodecException {

    private static final long serialVersionUID = 1;

    ProtocolViolationException(String message) {
        super(message);
    }

    /** None: it is the target's defect, not ours. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
