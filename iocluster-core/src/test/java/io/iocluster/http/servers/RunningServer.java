package io.iocluster.http.servers;

import java.util.Map;

/** A server that runs. Owned by one line of the matrix; not thread-safe. */
interface RunningServer extends AutoCloseable {

    /** Returns the port of 127.0.0.1 that it listens on. */
    int port();

    /** Lets it end connections and start again, without the loss of a call that it has begun. */
    void reload();

    /** Ends it at once, and starts it again on the same port. */
    void kill();

    /** Ends it, so that its log is complete. Without an effect if it has ended. */
    @Override
    void close();

    /** Returns the ids of the requests in its log, each with a line of the log. */
    Map<String, String> processed();
}
