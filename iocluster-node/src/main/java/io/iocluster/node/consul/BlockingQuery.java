package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads a value of the agent with blocking queries: each query blocks at the agent for a change since the previous one.
 * Confined to one thread.
 *
 * <p>By the rules of Consul's documentation, an index lower than the previous one resets the index. An index of 0
 * counts as 1, so that the next query blocks. A query can return without a change.
 */
final class BlockingQuery {

    /** The answer has some kilobytes for each instance, because it contains all of their checks. */
    private static final long MAX_SERVICE_BYTES = 16 << 20;

    private final ConsulAgent agent;
    private final String path;
    private final long maxBytes;
    private long index;

    /** @param path encoded path with at least one query parameter */
    private BlockingQuery(ConsulAgent agent, String path, String datacenter, long maxBytes) {
        this.agent = agent;
        this.path = path + (datacenter.isEmpty() ? "" : "&dc=" + datacenter);
        this.maxBytes = maxBytes;
    }

    /** Creates a query for the configuration key. */
    static BlockingQuery ofKey(ConsulAgent agent, ConsulSettings settings) {
        return new BlockingQuery(
                agent,
                "/v1/kv/" + ConsulAgent.encode(settings.key()) + "?raw",
                settings.datacenter(),
                settings.maxValueSize().bytes());
    }

    /** Creates a query for the instances of a service that pass all checks, as JSON. */
    static BlockingQuery ofService(ConsulAgent agent, ConsulUpstreamSettings service) {
        String tag = service.tag().isEmpty() ? "" : "&tag=" + ConsulAgent.encode(service.tag());
        return new BlockingQuery(
                agent,
                "/v1/health/service/" + ConsulAgent.encode(service.service()) + "?passing=true" + tag,
                service.datacenter(),
                MAX_SERVICE_BYTES);
    }

    /**
     * Queries the value. The first query returns at once, each other one waits for a change.
     *
     * @param wait how long the agent may wait for a change; Consul adds up to a sixteenth of it as jitter
     * @return empty if the value does not exist
     * @throws IOException if there is no usable answer; the message is for operators
     */
    Optional<String> query(Duration wait) throws IOException, InterruptedException {
        boolean blocks = index > 0;
        String query = blocks ? "&index=" + index + "&wait=" + Math.max(1, wait.toMillis()) + "ms" : "";
        Duration extraTimeout = blocks ? wait.plus(wait.dividedBy(16)) : Duration.ZERO;
        AgentResponse response = agent.get(path + query, maxBytes, extraTimeout);
        if (response.index() < 0) {
            throw new IOException("not a Consul agent: the answer has no X-Consul-Index; check config.consul.address");
        }
        index = response.index() < index ? 0 : Math.max(1, response.index());
        return response.isFound() ? Optional.of(response.text()) : Optional.empty();
    }

    /** Makes the next query return at once, because the known value may be outdated. */
    void resetIndex() {
        index = 0;
    }

    /** Returns the index that the next query waits on; 0 if it returns at once. */
    long index() {
        return index;
    }
}
