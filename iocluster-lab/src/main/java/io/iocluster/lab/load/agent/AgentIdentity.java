package io.iocluster.lab.load.agent;

import java.util.UUID;

/**
 * Identifies an agent.
 *
 * @param name unique among the agents of a run, which the driver checks
 * @param instance random; unique for each process
 * @param host host of the process
 * @param version version of the program
 */
public record AgentIdentity(String name, String instance, String host, String version) {

    /** Returns the identity of a new agent. */
    public static AgentIdentity create(String name, String host, String version) {
        return new AgentIdentity(name, UUID.randomUUID().toString(), host, version);
    }
}
