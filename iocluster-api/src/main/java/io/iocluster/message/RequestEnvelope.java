package io.iocluster.message;

import io.iocluster.message.usable.UsableRule;
import java.util.List;
import java.util.Set;

/**
 * One HTTP call, or several with a common answer, as the sender described it; {@code docs/envelope.md} is the contract.
 * A sender must set {@code url} only. Immutable; callers never write to {@code body}.
 *
 * @param id null if the sender gave none
 * @param method {@code GET} if the sender gave none
 * @param url as written, not yet checked; null if there is a scatter, or if the envelope is invalid and its URL was not
 *     read
 * @param headers in the sender's order, never null
 * @param body null for none
 * @param timeoutMs limit for one attempt in milliseconds; 0 for the node's default
 * @param deadlineMs limit for the whole call in milliseconds, from the record's timestamp; 0 for the node's default
 * @param maxAttempts 0 for the node's default
 * @param idempotencyKey null for none
 * @param auth the name of a credential, or null
 * @param usable which answers are usable; null for the destination's rule
 * @param reply never null
 * @param replyTo the topic or queue for the answer; null for the configured one
 * @param context raw JSON, copied to the answer unread; null for none
 * @param scatter the calls that replace the single call of the fields above; null for a single call
 */
public record RequestEnvelope(
        String id,
        String method,
        String url,
        List<Header> headers,
        byte[] body,
        long timeoutMs,
        long deadlineMs,
        int maxAttempts,
        String idempotencyKey,
        String auth,
        UsableRule usable,
        ReplyMode reply,
        String replyTo,
        String context,
        Scatter scatter) {

    /** The methods that a call may have. */
    public static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private static final int ENVELOPE_BYTES = 256;
    private static final int HEADER_BYTES = 32;

    /** Creates an envelope of a single call without a rule for usable answers. */
    public RequestEnvelope(
            String id,
            String method,
            String url,
            List<Header> headers,
            byte[] body,
            long timeoutMs,
            long deadlineMs,
            int maxAttempts,
            String idempotencyKey,
            String auth,
            ReplyMode reply,
            String replyTo,
            String context) {
        this(
                id,
                method,
                url,
                headers,
                body,
                timeoutMs,
                deadlineMs,
                maxAttempts,
                idempotencyKey,
                auth,
                null,
                reply,
                replyTo,
                context,
                null);
    }

    /** Returns a GET of the URL with {@link ReplyMode#ALWAYS}. */
    public static RequestEnvelope get(String id, String url) {
        return new RequestEnvelope(id, "GET", url, List.of(), null, 0, 0, 0, null, null, ReplyMode.ALWAYS, null, null);
    }

    /**
     * Returns an upper bound for its bytes on the heap. A string has one byte a character if it is Latin-1, else two.
     */
    public long heapBytes() {
        long bytes = ENVELOPE_BYTES
                + HeapSize.of(id)
                + HeapSize.of(method)
                + 2 * HeapSize.of(url) // As written, and as parsed.
                + HeapSize.of(idempotencyKey)
                + HeapSize.of(auth)
                + HeapSize.of(replyTo)
                + HeapSize.of(context)
                + (usable == null ? 0 : usable.heapBytes())
                + (body == null ? 0 : body.length);
        for (Header header : headers) {
            bytes += HEADER_BYTES + HeapSize.of(header.name()) + HeapSize.of(header.value());
        }
        if (scatter != null) {
            for (RequestEnvelope branch : scatter.branches()) {
                bytes += branch.heapBytes();
            }
        }
        return bytes;
    }

    /** Omits URL, header values and body, because they may hold data that must not be logged. */
    @Override
    public String toString() {
        if (scatter != null) {
            return "RequestEnvelope[" + id + " " + scatter.mode().wireName() + " of "
                    + scatter.branches().size() + "]";
        }
        return "RequestEnvelope[" + id + " " + method + ", " + headers.size() + " headers, "
                + (body == null ? 0 : body.length) + " bytes]";
    }
}
