package io.iocluster.http;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import io.iocluster.message.usable.Usability;
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
     * @param usability whether the answer is usable by the rule of its call
     */
    record Response(
            int status, List<Header> headers, byte[] body, boolean truncated, AttemptTiming timing, Usability usability)
            implements HttpResult {

        /** Creates a response that is not checked yet. */
        public Response(int status, List<Header> headers, byte[] body, boolean truncated, AttemptTiming timing) {
            this(status, headers, body, truncated, timing, Usability.UNCHECKED);
        }

        /** Returns a copy with the result of a check. */
        public Response withUsability(Usability checked) {
            return new Response(status, headers, body, truncated, timing, checked);
        }

        /** Returns whether the answer is usable: by the rule of its call, or because its status is 2xx if no rule applies. */
        public boolean isUsable() {
            return usability == Usability.UNCHECKED ? status / 100 == 2 : usability == Usability.USABLE;
        }
    }

    /**
     * An attempt without a usable response.
     *
     * @param message human-readable; contains no header, body or path
     * @param certainty what is known about the request
     */
    record Failure(ErrorCode code, String message, Certainty certainty, AttemptTiming timing) implements HttpResult {

        /** Returns whether the target may have processed the request. */
        public SentStatus sent() {
            return certainty.sent();
        }
    }

    /**
     * Duration of each phase of an attempt in milliseconds; 0 for a phase that did not happen.
     *
     * @param tlsMs the handshake; through a proxy, including the creation of the tunnel
     */
    record AttemptTiming(long dnsMs, long connectMs, long tlsMs, long firstByteMs) {

        public static final AttemptTiming NONE = new AttemptTiming(0, 0, 0, 0);
    }
}
