package io.iocluster.node.history;

/** The figures of a sample. The order is that of the columns in the ring. */
enum Figure {
    LAG("lag"),
    OLDEST_AGE("oldestAgeMillis"),
    IN_FLIGHT("inFlight"),
    IN_FLIGHT_LIMIT("inFlightLimit"),
    WAITING("waiting"),
    CALLS("callsPerSecond"),
    FAILURES("failuresPerSecond"),
    CPU("cpu"),
    P50("p50Millis"),
    P99("p99Millis");

    private final String field;

    Figure(String field) {
        this.field = field;
    }

    /** Returns the name in JSON. */
    String field() {
        return field;
    }
}
