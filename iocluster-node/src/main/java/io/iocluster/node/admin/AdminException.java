package io.iocluster.node.admin;

/** An invalid request, with the status of its error response. */
public final class AdminException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;

    public AdminException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    AdminResponse response() {
        return AdminResponse.error(status, getMessage());
    }
}
