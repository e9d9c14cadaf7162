package io.iocluster.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one subject did in one round.
 *
 * @param extras the scenario's own figures, by name
 */
record Measurement(
        Subject subject,
        int round,
        long calls,
        double callsPerSecond,
        double cpuMicrosPerCall,
        long peakResidentBytes,
        long peakHeapBytes,
        Map<String, Double> extras) {

    Measurement {
        extras = new LinkedHashMap<>(extras);
    }
}
