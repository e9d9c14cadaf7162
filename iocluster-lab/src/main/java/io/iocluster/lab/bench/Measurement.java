package io.iocluster.lab.bench;

import io.iocluster.lab.load.result.LatencyHistogram;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measurement of one subject in one round. Its scenario fills the maps before anything else reads them.
 *
 * @param extras further values of the scenario, by name
 * @param latencies distributions of the scenario, by name; empty if it measures none
 * @param outcomes number of calls by host and by status or error code; empty if the scenario does not distinguish them
 */
record Measurement(
        Subject subject,
        int round,
        long calls,
        double callsPerSecond,
        double cpuMicrosPerCall,
        long peakResidentBytes,
        long peakHeapBytes,
        Map<String, Double> extras,
        Map<String, LatencyHistogram> latencies,
        Map<String, Map<String, Long>> outcomes) {

    /** Creates a measurement with empty maps. */
    Measurement(
            Subject subject,
            int round,
            long calls,
            double callsPerSecond,
            double cpuMicrosPerCall,
            long peakResidentBytes,
            long peakHeapBytes) {
        this(
                subject,
                round,
                calls,
                callsPerSecond,
                cpuMicrosPerCall,
                peakResidentBytes,
                peakHeapBytes,
                new LinkedHashMap<>(),
                new LinkedHashMap<>(),
                new LinkedHashMap<>());
    }

    /** Creates a measurement with empty maps and the peak memory of a subject so far. */
    Measurement(RunningSubject running, int round, long calls, double callsPerSecond, double cpuMicrosPerCall) {
        this(
                running.subject(),
                round,
                calls,
                callsPerSecond,
                cpuMicrosPerCall,
                running.meter().peakResidentBytes(),
                running.peakHeapBytes());
    }

    /** Returns a value of {@link #extras}. */
    double extra(String name) {
        return extras.get(name);
    }
}
