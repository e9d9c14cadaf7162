package io.iocluster.http.connection;

/** One request and its response on a connection. Confined to the connection's event loop. */
public interface Exchange {

    /**
     * Ends the exchange without a further event. HTTP/1.1 closes the connection. HTTP/2 resets only this stream (RFC 9113, section
     * 5.4.2). Does nothing if the exchange has ended.
     */
    void cancel();
}
