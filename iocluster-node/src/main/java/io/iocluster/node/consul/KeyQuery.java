package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The value of one key, by blocking queries: each waits, with the agent, for something else than the one before it saw. Confined
 * to one thread.
 *
 * <p>By the rules of Consul's documentation an index that is lower than the one before begins anew, one of 0 is taken for 1 so
 * that the next query does wait, and the return of a query is no sign of a change.
 */
final class KeyQuery {

    private final ConsulAgent agent;
    private final String path;
    private final long most;
    private long index;

    KeyQuery(ConsulAgent agent, ConsulSettings settings) {
        this.agent = agent;
        this.path = "/v1/kv/" + ConsulAgent.encode(settings.key()) + "?raw"
                + (settings.datacenter().isEmpty() ? "" : "&dc=" + settings.datacenter());
        this.most = settings.maxValueSize().bytes();
    }

    /**
     * Asks: at once for what is there if this is the first query, and else for a change.
     *
     * @param wait how long the agent waits for it; a sixteenth more, as Consul spreads them
     * @return empty if there is no such key
     * @throws IOException if there is no answer that can be used; the message is for people
     */
    Optional<String> query(Duration wait) throws IOException, InterruptedException {
        boolean waits = index > 0;
        String query = waits ? "&index=" + index + "&wait=" + Math.max(1, wait.toMillis()) + "ms" : "";
        Duration patience = waits ? wait.plus(wait.dividedBy(16)) : Duration.ZERO;
        AgentResponse reply = agent.get(path + query, most, patience);
        if (reply.index() < 0) {
            throw new IOException("no Consul there: the answer has no X-Consul-Index");
        }
        index = reply.index() < index ? 0 : Math.max(1, reply.index());
        return reply.isFound() ? Optional.of(reply.text()) : Optional.empty();
    }

    /** Lets the next query not wait: nothing is known any more of what the agent has. */
    void resetIndex() {
        index = 0;
    }

    /** What the next query waits for something else than; 0 if it does not wait. */
    long index() {
        return index;
    }
}
