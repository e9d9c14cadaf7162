package io.iocluster.door.spool;

import java.io.IOException;

/** The spool cannot be used. The message is for operators and says what to do. */
public final class SpoolException extends IOException {

    private static final long serialVersionUID = 1L;

    SpoolException(String message, Throwable cause) {
        super(message, cause);
    }
}
