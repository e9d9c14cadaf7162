package io.iocluster.http.pool;

import io.iocluster.http.connect.Dial;
import io.iocluster.http.connect.DialFailure;
import io.iocluster.http.connection.HttpConnection;

/** Receives a connection or a failure, exactly once unless the acquisition is cancelled. Called on the event loop. */
public interface ConnectionWaiter {

    /**
     * Receives a connection that has a free stream. The waiter starts an exchange before it returns.
     *
     * @param dial how the connection was opened for this waiter; null if it was open before
     */
    void onConnection(HttpConnection connection, Dial dial);

    void onDialFailure(DialFailure failure, Dial dial);
}
