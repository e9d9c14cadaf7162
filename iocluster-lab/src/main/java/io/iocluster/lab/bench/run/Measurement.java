package io.iocluster.lab.bench.run;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one subject did in one round.
 *
 * @param extras the scenario's own figures, by name
 * @param endings how many calls ended how, by host and by status or code, where the scenario tells them apart
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

    /** Of a scenario whose calls all end well. */
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
