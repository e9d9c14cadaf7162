package io.iocluster.egress;

/** Receives calls that the policy forbids and that {@link EgressMode#REPORT} allows. */
@FunctionalInterface
public interface EgressViolationListener {

    EgressViolationListener NONE = (rejection, destination) -> {};

    /**
     * Called once for each reason why a call would be rejected. Called from several threads on the node's hot path;
     * must not block and must not throw.
     *
     * @param destination {@code host:port}
     */
    void onViolation(Rejection rejection, String destination);
}
