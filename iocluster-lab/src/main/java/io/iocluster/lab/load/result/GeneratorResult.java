package io.iocluster.lab.load.result;

import java.util.List;

/**
 * How well the generator kept to its schedule.
 *
 * @param scheduleError from when a call was due to when it was sent, of the measured phases
 * @param agents the processes that sent calls; empty if the driver sent them itself
 */
public record GeneratorResult(LatencyHistogram scheduleError, List<Agent> agents) {

    public GeneratorResult {
        agents = List.copyOf(agents);
    }

    /**
     * A process that sent calls.
     *
     * @param clockOffsetMillis its clock minus the driver's clock
     * @param clockErrorMillis maximum error of the offset
     * @param sent number of calls
     * @param problem why its share is incomplete; null if it is complete
     */
    public record Agent(
            String name, String host, double clockOffsetMillis, double clockErrorMillis, long sent, String problem) {}
}
