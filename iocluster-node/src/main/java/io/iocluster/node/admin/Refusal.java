package io.iocluster.node.admin;

/** A request that is wrong, with the status that says so. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;

    Refusal(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    Reply reply() {
        return Reply.error(status, getMessage());
    }
}
