package io.iocluster.node.history;

/** The columns of a destination's sample, in the order of the {@link SampleRing}. */
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
