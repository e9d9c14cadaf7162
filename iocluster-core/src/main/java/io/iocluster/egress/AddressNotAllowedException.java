package io.iocluster.egress;

import java.net.UnknownHostException;

/** A name resolved to an address that may not be dialled. Says so without the address, which is the network's secret. */
public final class AddressNotAllowedException extends UnknownHostException {

    private static final long serialVersionUID = 1;

    public AddressNotAllowedException(String host) {
        super("an address of " + host + " is not allowed");
    }

    /** None: it is an answer, not a defect. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
