package io.iocluster.simulation.broker;

import java.util.Map;

/**
 * A message that a node has published and the broker has stored.
 *
 * @param queue the name of its queue; one of the constants of {@link SimulatedBroker} for queues without a name
 * @param call the id of the call that it belongs to
 * @param node the process that published it
 */
public record Published(
        String queue, String call, byte[] payload, Map<String, String> headers, String node, long millis) {}
