package io.iocluster.lab.load.result;

import java.util.Map;

/**
 * The machine and the programs of a run.
 *
 * @param nodes version by node id, as far as known
 */
public record Environment(
        String version,
        String host,
        String operatingSystem,
        int processors,
        long memoryBytes,
        String java,
        Map<String, String> nodes) {

    public Environment {
        nodes = Map.copyOf(nodes);
    }
}
