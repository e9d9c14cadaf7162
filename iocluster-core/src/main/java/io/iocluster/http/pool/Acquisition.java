package io.iocluster.http.pool;

import io.iocluster.http.connect.Dial;
import io.iocluster.http.connect.DialFailure;
import io.iocluster.http.connect.DialListener;
import io.iocluster.http.connection.HttpConnection;
import io.netty.channel.Channel;

/** A waiter for a connection. Waits for a dial of its own, or with others for the connection that they will share. */
public final class Acquisition implements DialListener {

    private final HostPool host;
    private final ConnectionWaiter waiter;
    /** The waiter's own dial; null if it waits with others. */
    private Dial ownDial;

    private boolean done;

    Acquisition(HostPool host, ConnectionWaiter waiter) {
        this.host = host;
        this.waiter = waiter;
    }

    void dial(boolean http1Only) {
        Dial dial = host.newDial(http1Only, this);
        ownDial = dial;
        dial.start();
    }

    /** Returns the dial that the waiter waits for, its own or that of the shared connection; null for a free stream of an open connection. */
    public Dial dial() {
        return ownDial == null ? host.sharedDial() : ownDial;
    }

    /** Stops waiting. Ends a dial that nobody else waits for. */
    public void cancel() {
        if (!done) {
            done = true;
            if (ownDial == null) {
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

    void fail(DialFailure failure, Dial dial) {
        done = true;
        waiter.onDialFailure(failure, dial);
    }

    /** Waits again, because the dial of the shared connection ended with one that cannot be shared. */
    void dialAlone() {
        host.dialFor(this, false);
    }

    /** Returns whether the waiter was called or waits no longer. */
    public boolean isDone() {
        return done;
    }

    Dial ownDial() {
        return ownDial;
    }
}
