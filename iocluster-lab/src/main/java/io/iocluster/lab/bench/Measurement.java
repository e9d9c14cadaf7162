package io.iocluster.lab.bench;

import io.iocluster.lab.load.result.LatencyHistogram;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measurement of one subject in one round.
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

    public Measurement {
        latencies = new LinkedHashMap<>(latencies);
        extras = new LinkedHashMap<>(extras);
        outcomes = new LinkedHashMap<>(outcomes);
    }

    /** Creates a measurement without latencies and outcomes. */
    public Measurement(
            Subject subject,
            int round,
            long calls,
            double callsPerSecond,
            double cpuMicrosPerCall,
            long peakResidentBytes,
            long peakHeapBytes,
            Map<String, Double> extras) {
        this(
                subject,
                round,
                calls,
                callsPerSecond,
                cpuMicrosPerCall,
                peakResidentBytes,
                peakHeapBytes,
                extras,
                Map.of(),
                Map.of());
    }

    /** Returns a copy with these latencies. */
    public Measurement withLatencies(Map<String, LatencyHistogram> named) {
        return new Measurement(
                subject,
                round,
                calls,
                callsPerSecond,
                cpuMicrosPerCall,
                peakResidentBytes,
                peakHeapBytes,
                extras,
                named,
                outcomes);
    }

    /** Returns a copy with these outcomes. */
    public Measurement withOutcomes(Map<String, Map<String, Long>> byHost) {
        return new Measurement(
                subject,
                round,
                calls,
                callsPerSecond,
                cpuMicrosPerCall,
                peakResidentBytes,
                peakHeapBytes,
                extras,
                latencies,
                byHost);
    }
}
