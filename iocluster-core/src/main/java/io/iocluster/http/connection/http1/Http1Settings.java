package io.iocluster.http.connection.http1;

import io.netty.handler.codec.http.HttpDecoderConfig;

/**
 * Settings of HTTP/1.1 connections.
 *
 * @param maxHeadBytes maximum size of the status line, and of all headers of a response together
 * @param maxHeaders maximum number of headers of a response, and of its trailers
 * @param keepAlive whether a connection may carry a second exchange
 */
public record Http1Settings(int maxHeadBytes, int maxHeaders, boolean keepAlive) {

    /** Maximum size of a part of a body. As large as the largest read buffer, so that the decoder does not split what was read. */
    private static final int MAX_CHUNK_BYTES = 64 * 1024;

    HttpDecoderConfig newDecoderConfig() {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(maxHeadBytes)
                .setMaxHeaderSize(maxHeadBytes)
                .setMaxChunkSize(MAX_CHUNK_BYTES)
                .setHeadersFactory(ResponseHeaders.factory(maxHeaders))
                .setTrailersFactory(ResponseHeaders.factory(maxHeaders))
                .setAllowDuplicateContentLengths(true)
                // Clients such as curl and Go accept a line that ends without a carriage return.
                .setStrictLineParsing(false);
    }

    String headTooLong() {
        return "the response's headers are larger than http.max-response-headers: " + maxHeadBytes + " bytes";
    }
}
