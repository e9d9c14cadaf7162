package io.iocluster.http;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import java.util.List;

/** How one attempt ended: any HTTP status is a response, all else a failure, and neither is an exception. */
public sealed interface HttpResult {

    AttemptTiming timing();

    /**
     * An HTTP answer.
     *
     * @param headers names in lower case, hop-by-hop headers dropped, repeated ones kept in order
     * @param body decompressed, cut off at the limit
     * @param truncated whether it was cut off
     */
    record Response(int status, List<Header> headers, byte[] body, boolean truncated, AttemptTiming timing)
            implements HttpResult {}

    /**
     * No usable answer.
     *
     * @param message for people; holds no header, no body and no path
     * @param sent whether the target may have seen the call
     */
    record Failure(ErrorCode code, String message, SentStatus sent, AttemptTiming timing) implements HttpResult {}

    /**
     * Where one attempt's time went, in milliseconds; 0 for what did not happen.
     *
     * @param tlsMs the handshake; in a tunnel through a proxy, the tunnel's making included
     */
    record AttemptTiming(long dnsMs, long connectMs, long tlsMs, long firstByteMs) {

        public static final AttemptTiming NONE = new AttemptTiming(0, 0, 0, 0);
    }
}
