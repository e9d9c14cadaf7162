package io.iocluster.http.connection;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Receives the events of one exchange on the connection's event loop: {@link #onHead} once, {@link #onBody} any number of times, then either
 * {@link #onEnd} or {@link #onFailure}. Nothing follows a method that returns false, {@link Exchange#cancel}, {@link #onEnd} or {@link
 * #onFailure}.
 */
public interface ExchangeListener {

    /**
     * Receives the status and headers of the final response.
     *
     * @return false if no further part of the response is needed; the exchange is then cancelled
     */
    boolean onHead(int status, HttpHeaders headers);

    /**
     * Receives a part of the body, which the connection releases.
     *
     * @return false if no further part of the response is needed; the exchange is then cancelled
     */
    boolean onBody(ByteBuf part);

    /** Called when the whole response has arrived. The connection is then already available for the next exchange, or closed. */
    void onEnd();

    /** Called when the exchange ends without a whole response. */
    void onFailure(ExchangeFailure failure);
}
