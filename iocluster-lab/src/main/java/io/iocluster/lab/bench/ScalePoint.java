package io.iocluster.lab.bench;

/**
 * One measured point: the value of an axis, with the usual value of every other size.
 *
 * @param calls measured calls in the queue
 * @param partitions of each topic
 * @param hosts that are called in turns
 * @param delayMillis time that the target takes for an answer
 * @param bodyBytes size of a response body; 0 for the usual one of a few bytes
 */
record ScalePoint(
        ScaleAxis axis,
        int value,
        int calls,
        int partitions,
        int hosts,
        int maxInFlight,
        int delayMillis,
        int bodyBytes,
        int nodes) {

    /** The most bytes that the answers of a point take on the broker's disk. */
    private static final long MAX_ANSWER_BYTES = 1_500_000_000;

    /** With more calls in flight, the target takes longer, so that the rate and the load of the machine stay the same. */
    private static final int CALLS_IN_FLIGHT_PER_MILLISECOND = 10;

    private static final int USUAL_HOSTS = 1;
    private static final int USUAL_NODES = 1;

    /**
     * Creates a point.
     *
     * @param usualCalls measured calls, unless the axis is the backlog or they would take too much of the disk
     * @param usualPartitions partitions of each topic, unless they are the axis
     */
    static ScalePoint of(ScaleAxis axis, int value, int usualCalls, int usualPartitions, int usualInFlight) {
        int body = axis == ScaleAxis.BODY ? value : 0;
        int calls = axis == ScaleAxis.BACKLOG ? value : usualCalls;
        return new ScalePoint(
                axis,
                value,
                (int) Math.min(calls, MAX_ANSWER_BYTES / Math.max(1, body)),
                axis == ScaleAxis.PARTITIONS ? value : usualPartitions,
                axis == ScaleAxis.HOSTS ? value : USUAL_HOSTS,
                axis == ScaleAxis.IN_FLIGHT ? value : usualInFlight,
                axis == ScaleAxis.IN_FLIGHT ? value / CALLS_IN_FLIGHT_PER_MILLISECOND : 0,
                body,
                axis == ScaleAxis.NODES ? value : USUAL_NODES);
    }

    /** Returns the path of the target for the measured calls. */
    String path() {
        if (bodyBytes > 0) {
            return "/body?bytes=" + bodyBytes;
        }
        return delayMillis > 0 ? "/delay?ms=" + delayMillis : "/ok";
    }

    /** Returns the name in the report. */
    String label() {
        return axis.label() + " " + value;
    }
}
