package io.iocluster.client;

import io.iocluster.client.spi.ClientTransport;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The configuration of a client. Immutable.
 *
 * @param transport the broker and its queues
 * @param name the client's name at the broker and in logs; default {@code client}
 * @param timeout the deadline of a call without its own, and the limit for the broker's confirmation of an enqueued
 *     request; default 30 s
 * @param maxOutstanding maximum number of outstanding calls and unconfirmed envelopes, which bounds the client's
 *     memory; default 1,000
 * @param whenFull what happens to a call above that limit; by default it fails
 * @param executor completes stages and calls listeners; null, the default, for a cached thread pool of the client
 * @param events receives the client's events; default {@link ClientEvents#NONE}
 */
public record ClientConfig(
        ClientTransport transport,
        String name,
        Duration timeout,
        int maxOutstanding,
        ClientFullPolicy whenFull,
        Executor executor,
        ClientEvents events) {

    public ClientConfig {
        if (transport == null) {
            throw new IllegalArgumentException("transport must not be null");
        }
        if (name == null || !name.matches("[a-zA-Z0-9._-]{1,100}")) {
            throw new IllegalArgumentException("name must be 1 to 100 letters, digits, '.', '_' or '-': " + name);
        }
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("timeout must be at least 1 ms: " + timeout);
        }
        if (maxOutstanding < 1 || maxOutstanding > 1_000_000) {
            throw new IllegalArgumentException("maxOutstanding must be from 1 to 1,000,000: " + maxOutstanding);
        }
    }

    /** Returns the default configuration for a transport. */
    public static ClientConfig forTransport(ClientTransport transport) {
        return new ClientConfig(
                transport, "client", Duration.ofSeconds(30), 1_000, ClientFullPolicy.FAIL, null, ClientEvents.NONE);
    }

    /** Returns a copy with this name. */
    public ClientConfig withName(String name) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, executor, events);
    }

    /** Returns a copy with this timeout. */
    public ClientConfig timeout(Duration timeout) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, executor, events);
    }

    /** Returns a copy with this limit and policy. */
    public ClientConfig withMaxOutstanding(int maxOutstanding, ClientFullPolicy whenFull) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, executor, events);
    }

    /** Returns a copy with this executor. The client does not shut it down. */
    public ClientConfig withExecutor(Executor executor) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, executor, events);
    }

    /** Returns a copy with these events. */
    public ClientConfig withEvents(ClientEvents events) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, executor, events);
    }
}
