package io.iocluster.node.audit;

/**
 * Identifies who asked for an action. Immutable.
 *
 * @param who name of the token, never its value; {@code anonymous} without a token, {@code configuration} for an edited file
 * @param from address of the client, or the edited file
 */
public record Actor(String who, String from) {}
