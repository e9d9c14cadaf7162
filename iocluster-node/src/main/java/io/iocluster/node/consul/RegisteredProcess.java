package io.iocluster.node.consul;

import io.iocluster.door.config.DoorTransport;
import io.iocluster.node.config.NodeSettings;
import java.net.InetSocketAddress;

/**
 * A process that registers itself as a Consul service. Immutable.
 *
 * @param service name of the service
 * @param node id of the process
 * @param transport where its calls come from or go to
 * @param scheme scheme of its probes
 * @param address address of its probes
 * @param aliveCheck name of the liveness check
 * @param readyCheck name of the readiness check
 */
public record RegisteredProcess(
        String service,
        String node,
        String transport,
        String scheme,
        InetSocketAddress address,
        String aliveCheck,
        String readyCheck) {

    /** A door and a node may have the same settings, and run on one machine. */
    private static final String DOOR_SUFFIX = "-door";

    /**
     * Returns a node.
     *
     * @param admin address of the node's admin server
     */
    public static RegisteredProcess node(NodeSettings settings, InetSocketAddress admin) {
        return new RegisteredProcess(
                settings.config().consul().service().name(),
                settings.node().id(),
                settings.transport().wireName(),
                settings.admin().tls().scheme(),
                admin,
                "the node's process is alive",
                "the node can read from its broker");
    }

    /**
     * Returns a door.
     *
     * @param door address of the door
     */
    public static RegisteredProcess door(NodeSettings settings, InetSocketAddress door) {
        boolean local = settings.door().transport() == DoorTransport.LOCAL;
        return new RegisteredProcess(
                settings.config().consul().service().name() + DOOR_SUFFIX,
                settings.node().id(),
                local ? "local" : settings.transport().wireName(),
                settings.door().tls().isEnabled() ? "https" : "http",
                door,
                "the door's process is alive",
                "the door can make calls");
    }
}
