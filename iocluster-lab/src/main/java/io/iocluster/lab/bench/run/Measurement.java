package io.iocluster.lab.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measurement of one subject in one round.
 *
 * @param extras further values of the scenario, by name
 * @param outcomes number of calls by host and by status or error code; empty if the scenario does not distinguish them
 */
public record Measurement(
        Subject subject,
        int round,
        long calls,
        double callsPerSecond,
        double cpuMicrosPerCall,
        long peakResidentBytes,
        long peakHeapBytes,
        Map<String, Double> extras,
        Map<String, Map<String, Long>> outcomes) {

    public Measurement {
        extras = new LinkedHashMap<>(extras);
        outcomes = new LinkedHashMap<>(outcomes);
    }

    /** Creates a measurement without outcomes. */
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
                Map.of());
    }
}
