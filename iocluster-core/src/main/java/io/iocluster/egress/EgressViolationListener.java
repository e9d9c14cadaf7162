package io.iocluster.egress;

/** Hears of calls that the policy forbids and that {@link EgressMode#REPORT} lets pass. */
@FunctionalInterface
public interface EgressViolationListener {

    EgressViolationListener NONE = (refusal, destination) -> {};

    /**
     * A call passes that would have been refused; told of each reason that there is. Called from several threads, on the node's hot path: neither blocks nor
     * throws.
     *
     * @param destination {@code host:port}
     */
    void onViolation(Rejection refusal, String destination);
}
