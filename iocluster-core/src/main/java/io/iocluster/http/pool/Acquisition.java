package io.iocluster.http.pool;

import io.iocluster.http.connect.Dial;
import io.iocluster.http.connect.DialFailure;
import io.iocluster.http.connect.DialListener;
import io.iocluster.http.connection.HttpConnection;
import io.netty.channel.Channel;

/**
 * A pending request for a connection. Waits for one of these: the waiter's own dial, a free stream of the HTTP/2 connection that all
 * waiters share, or the proof that an idle connection is still open.
 */
public final class Acquisition implements DialListener {

    private final HostPool host;
    private final ConnectionWaiter waiter;
    private final boolean http1Only;
    private final boolean nonIdempotent;
    /** The idle connection that the waiter gets if it is still open; null if the waiter waits for something else. */
    private PooledConnection candidate;

    /** The waiter's own dial; null if it waits with others. */
    private Dial ownDial;

    private boolean done;

    /** @param nonIdempotent whether the request must not be sent twice */
    Acquisition(HostPool host, ConnectionWaiter waiter, boolean http1Only, boolean nonIdempotent) {
        this.host = host;
        this.waiter = waiter;
        this.http1Only = http1Only;
        this.nonIdempotent = nonIdempotent;
    }

    boolean isHttp1Only() {
        return http1Only;
    }

    /**
     * Returns whether the target has not ended an idle connection, as far as the kernel knows. The event loop has read the connection, but may
     * have run long tasks since. So this reads it once more before a request that must not be sent twice: this one, or over HTTP/2 a later one
     * of this turn. May drain or close the connection. Does not read a connection with open exchanges, because their requests may not be
     * flushed yet, and a read would make it less certain what was sent.
     */
    boolean accepts(HttpConnection idle) {
        boolean needsRead = idle.openExchanges() == 0 && (nonIdempotent || idle.isMultiplexed());
        return !needsRead || !idle.readReceived();
    }

    void setCandidate(PooledConnection connection) {
        candidate = connection;
    }

    void startOwnDial() {
        Dial dial = host.newDial(http1Only, this);
        ownDial = dial;
        dial.start();
    }

    /** Returns the dial that the waiter waits for: its own, or that of the shared connection. Returns null if the connection is open. */
    public Dial dial() {
        if (candidate != null) {
            return null;
        }
        return ownDial == null ? host.sharedDial() : ownDial;
    }

    /** Returns whether the waiter waits for a free stream of an open connection. */
    public boolean isWaitingForStream() {
        return candidate == null && dial() == null;
    }

    /** Stops waiting. Cancels a dial that no other waiter needs. */
    public void cancel() {
        if (!done) {
            done = true;
            if (candidate != null) {
                host.changed(candidate);
            } else if (ownDial == null) {
                host.leaveQueue(this);
            } else {
                ownDial.cancel();
                host.dialEnded();
            }
        }
    }

    @Override
    public void onConnected(Channel channel, boolean http2) {
        done = true;
        host.opened(channel, http2, this);
        host.dialEnded();
    }

    @Override
    public void onFailed(DialFailure failure) {
        done = true;
        host.dialEnded();
        waiter.onDialFailure(failure, ownDial);
    }

    void deliver(HttpConnection connection, Dial dial) {
        done = true;
        waiter.onConnection(connection, dial);
    }

    /** Does nothing if the waiter has left. */
    void fail(DialFailure failure, Dial dial) {
        if (!done) {
            done = true;
            waiter.onDialFailure(failure, dial);
        }
    }

    /** Opens a connection for this waiter alone, because the connection that all waited for speaks HTTP/1.1. */
    void dialAlone() {
        if (!done) {
            host.dialFor(this);
        }
    }

    /** Returns whether the waiter was called or the acquisition was cancelled. */
    public boolean isDone() {
        return done;
    }

    Dial ownDial() {
        return ownDial;
    }
}
