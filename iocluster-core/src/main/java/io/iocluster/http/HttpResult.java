package io.iocluster.http;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import java.util.List;

/** Result of one attempt: a response with any HTTP status, or a failure. Neither is an exception. */
public sealed interface HttpResult {

    AttemptTiming timing();

    /**
     * An HTTP response with any status.
     *
     * @param headers names in lower case, without hop-by-hop headers; repeated headers stay in order
     * @param body decompressed, truncated at the limit
     * @param truncated whether the body was truncated
     */
    record Response(int status, List<Header> headers, byte[] body, boolean truncated, AttemptTiming timing)
            implements HttpResult {}

    /**
     * An attempt without a usable response.
     *
     * @param message human-readable; contains no header, body or path
     * @param sent whether the target may have received the request
     */
    record Failure(ErrorCode code, String message, SentStatus sent, AttemptTiming timing) implements HttpResult {}

    /**
     * Duration of each phase of an attempt in milliseconds; 0 for a phase that did not happen.
     *
     * @param tlsMs the handshake; through a proxy, including the creation of the tunnel
     */
    record AttemptTiming(long dnsMs, long connectMs, long tlsMs, long firstByteMs) {

        public static final AttemptTiming NONE = new AttemptTiming(0, 0, 0, 0);
    }
}
