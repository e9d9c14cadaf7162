package io.iocluster.http.connection.http2;

import io.iocluster.log.LogThrottle;
import java.time.Duration;

/**
 * Limits of the HTTP/2 connections of one executor.
 *
 * @param maxHeadBytes maximum size of the headers of a response together
 * @param pingTimeout after this time without a byte from the target, a connection with open calls sends a PING; it closes if nothing
 *     arrives within the same time again
 * @param errors limits the log lines about failed connections
 */
public record Http2Limits(int maxHeadBytes, Duration pingTimeout, LogThrottle errors) {

    String headTooLong() {
        return "the response's headers are larger than http.max-response-headers: " + maxHeadBytes + " bytes";
    }
}
