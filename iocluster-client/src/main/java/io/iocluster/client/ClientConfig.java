package io.iocluster.client;

import io.iocluster.client.spi.ClientTransport;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * How a client works.
 *
 * @param transport the queues
 * @param name shows in the broker's lists and in the log; {@code client} by default
 * @param timeout how long a call may take that says nothing of it, and the broker to confirm what is enqueued; 30 s by default
 * @param maxOutstanding how many calls and unconfirmed envelopes there may be, which bounds the client's memory; 1,000 by default
 * @param whenFull what becomes of one more; it fails by default
 * @param executor completes stages and calls listeners; null, the default, for threads of the client's own, as many as are needed
 * @param events hears what happens; nobody does by default
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
            throw new IllegalArgumentException("transport must be there");
        }
        if (name == null || !name.matches("[a-zA-Z0-9._-]{1,100}")) {
            throw new IllegalArgumentException("name must be 1 to 100 letters, digits, '.', '_' or '-': " + name);
        }
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("timeout must be a millisecond at least: " + timeout);
        }
        if (maxOutstanding < 1 || maxOutstanding > 1_000_000) {
            throw new IllegalArgumentException("maxOutstanding must be from 1 to 1,000,000: " + maxOutstanding);
        }
    }

    /** The defaults over these queues. */
    public static ClientConfig forTransport(ClientTransport transport) {
        return new ClientConfig(
                transport, "client", Duration.ofSeconds(30), 1_000, ClientFullPolicy.FAIL, null, ClientEvents.NONE);
    }

    /** The same under another name. */
    public ClientConfig withName(String other) {
        return new ClientConfig(transport, other, timeout, maxOutstanding, whenFull, executor, events);
    }

    /** The same with another timeout. */
    public ClientConfig timeout(Duration other) {
        return new ClientConfig(transport, name, other, maxOutstanding, whenFull, executor, events);
    }

    /** The same with other bounds. */
    public ClientConfig withMaxOutstanding(int most, ClientFullPolicy whenFull) {
        return new ClientConfig(transport, name, timeout, most, whenFull, executor, events);
    }

    /** The same on other threads; whoever made the executor shuts it down. */
    public ClientConfig withExecutor(Executor other) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, other, events);
    }

    /** The same with somebody who listens. */
    public ClientConfig withEvents(ClientEvents other) {
        return new ClientConfig(transport, name, timeout, maxOutstanding, whenFull, executor, other);
    }
}
