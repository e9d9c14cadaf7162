package io.iocluster.node.history;

/** The columns of a sample, in the order of the {@link SampleRing}. */
enum SampleColumn implements NamedColumn {
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

    SampleColumn(String field) {
        this.field = field;
    }

    @Override
    public String field() {
        return field;
    }
}
