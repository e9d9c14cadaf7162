package io.iocluster.egress;

import java.net.UnknownHostException;

/**
 * Thrown when a name resolves to a forbidden address. The message omits the address, so that no sender can map the
 * network.
 */
public final class AddressNotAllowedException extends UnknownHostException {

    private static final long serialVersionUID = 1;

    public AddressNotAllowedException(String host) {
        super(message(host));
    }

    /** Returns the message about this host. */
    static String message(String host) {
        return "an address of " + host + " is not allowed; see egress.allow-networks";
    }

    /** Skips the stack trace, because the exception is an expected result. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
