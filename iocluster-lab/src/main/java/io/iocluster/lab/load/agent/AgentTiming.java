package io.iocluster.lab.load.agent;

import java.time.Duration;

/**
 * The times of the coordination.
 *
 * @param announceInterval time between two announcements of a driver or an agent
 * @param clockSyncTime how long the driver measures round trips; the fastest one determines the offset of a clock
 * @param startDelay time between the start command and the start of the first phase
 * @param peerTimeout time without a message after which the other side counts as dead
 * @param joinTimeout how long the driver waits for agents to join, to get ready, and to return their results after a stop
 */
public record AgentTiming(
        Duration announceInterval,
        Duration clockSyncTime,
        Duration startDelay,
        Duration peerTimeout,
        Duration joinTimeout) {

    public static final AgentTiming DEFAULT = new AgentTiming(
            Duration.ofMillis(200),
            Duration.ofSeconds(3),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60));
}
