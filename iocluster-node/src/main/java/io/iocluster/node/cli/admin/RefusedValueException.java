package io.iocluster.node.cli.admin;

import java.io.IOException;

/** Thrown if a node answers with status 400, because a value of the request is wrong. */
final class RefusedValueException extends IOException {

    private static final long serialVersionUID = 1L;

    RefusedValueException(String message) {
        super(message);
    }
}
