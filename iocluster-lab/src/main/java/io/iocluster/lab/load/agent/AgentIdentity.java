package io.iocluster.lab.load.agent;

import java.util.UUID;

/**
 * Who an agent is.
 *
 * @param name unique among the agents, if their users name them so
 * @param instance unique for each process
 * @param version version of the program
 */
public record AgentIdentity(String name, String instance, String host, String version) {

    /** Returns the identity of a new agent. */
    public static AgentIdentity create(String name, String host, String version) {
        return new AgentIdentity(name, UUID.randomUUID().toString(), host, version);
    }
}
