package io.iocluster.node.history;

/** The figures of a destination's sample. The order is that of the columns in the ring. */
enum DestinationColumn implements NamedColumn {
    ATTEMPTS("attemptsPerSecond"),
    ERRORS("errorShare"),
    P50("p50Millis"),
    P99("p99Millis");

    private final String field;

    DestinationColumn(String field) {
        this.field = field;
    }

    @Override
    public String field() {
        return field;
    }
}
