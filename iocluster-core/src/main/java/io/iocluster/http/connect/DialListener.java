package io.iocluster.http.connect;

import io.netty.channel.Channel;

/** Receives the result of a dial, once, on the event loop. Not called after the dial was cancelled. */
public interface DialListener {

    /**
     * Receives an open channel, which it owns. Nothing has been read from it.
     *
     * @param http2 whether the target chose HTTP/2
     */
    void onConnected(Channel channel, boolean http2);

    void onFailed(DialFailure failure);
}
