package io.iocluster.testkit.chaos.invariant;

/**
 * The requests of one call that the targets received. Immutable.
 *
 * @param count number of requests
 * @param onUsedConnections number of those that were not the first on their connection
 */
public record ObservedRequests(int count, int onUsedConnections) {

    public static final ObservedRequests NONE = new ObservedRequests(0, 0);

    /** Returns the sum, for a call with several targets. */
    public ObservedRequests plus(ObservedRequests other) {
        return new ObservedRequests(count + other.count, onUsedConnections + other.onUsedConnections);
    }
}
