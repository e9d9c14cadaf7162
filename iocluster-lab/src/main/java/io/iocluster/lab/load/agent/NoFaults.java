package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.experiment.Fault;
import io.iocluster.lab.load.spi.FaultInjector;
import java.io.IOException;

/** Starts no faults, because the driver starts those of all agents. Stateless. */
final class NoFaults implements FaultInjector {

    @Override
    public ActiveFault start(Fault fault) throws IOException {
        throw new IOException("an agent starts no faults");
    }

    @Override
    public String describe(Fault fault) {
        return fault.name();
    }
}
