package io.iocluster.lab.bench;

import java.util.List;
import java.util.Map;

/**
 * The options of a benchmark.
 *
 * @param rounds measurements of each subject
 * @param maxInFlight maximum calls in flight, except in the open scenario
 * @param requests calls of the drain scenario, all measured
 * @param warmup unmeasured calls before each measurement, except in the drain scenario
 * @param warmUpRun whether each scenario starts with an unmeasured run of the naive loop
 * @param rate calls per second of the latency, open and start scenarios
 * @param seconds measured seconds of the latency and open scenarios
 * @param warmupSeconds seconds of unmeasured calls in the latency, open, fairness and start scenarios
 * @param start the windows of the start scenario
 * @param openCalls calls that stay open in the open scenario
 * @param fairnessRate calls per second of the fairness scenario, to good and bad hosts together
 * @param fairnessCalls measured calls of the fairness scenario
 * @param monitoredCalls calls in each window of the watched scenario
 * @param monitoredWindows number of windows of the watched scenario
 * @param scaleCalls measured calls of each point of the scale scenario
 * @param scaleValues values of each axis of the scale scenario; an axis without an entry is not measured
 * @param settings node settings by path, which override the benchmark's
 */
public record BenchOptions(
        int rounds,
        int maxInFlight,
        int requests,
        int warmup,
        boolean warmUpRun,
        int rate,
        int seconds,
        int warmupSeconds,
        StartWindows start,
        int openCalls,
        int fairnessRate,
        int fairnessCalls,
        int monitoredCalls,
        int monitoredWindows,
        int scaleCalls,
        Map<String, List<Integer>> scaleValues,
        List<Subject> subjects,
        List<String> jvmArgs,
        List<String> nodeArgs,
        Map<String, String> settings) {

    /**
     * The windows of the start scenario, in seconds since the node was ready. The last call is due at the end of the second one.
     *
     * @param first length of the first window
     * @param steadyFrom start of the second window
     * @param steadyTo end of the second window
     */
    public record StartWindows(int first, int steadyFrom, int steadyTo) {

        public StartWindows {
            if (first < 1 || steadyFrom < first || steadyTo <= steadyFrom) {
                throw new IllegalArgumentException("the windows of the start scenario must follow each other: 0 to "
                        + first + " s, " + steadyFrom + " to " + steadyTo + " s");
            }
        }
    }
}
