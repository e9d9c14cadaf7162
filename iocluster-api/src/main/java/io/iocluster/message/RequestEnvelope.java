package io.iocluster.message;

import java.util.List;

/**
 * One HTTP call, or several that are answered together, as its sender described it; see the contract in {@code
 * docs/envelope.md}. Only {@code url} is required of a sender. Callers never write to {@code body}.
 *
 * @param id null if the sender gave none
 * @param method {@code GET} if the sender gave none
 * @param url as written, not yet checked; null in an envelope of several calls, and in one that was refused before its
 *     URL was read
 * @param headers in the sender's order, never null
 * @param body null for none
 * @param timeoutMs bounds one attempt; 0 for the node's default
 * @param deadlineMs bounds the whole, from the record's timestamp; 0 for the node's default
 * @param maxAttempts 0 for the node's default
 * @param idempotencyKey null for none
 * @param auth name of a credential, or null
 * @param reply never null
 * @param replyTo null for the node's default place
 * @param context raw JSON, echoed unread; null for none
 * @param scatter the calls in place of the one that the fields above describe; null for that one
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
        ReplyMode reply,
        String replyTo,
        String context,
        Scatter scatter) {

    private static final int ENVELOPE_BYTES = 256;
    private static final int HEADER_BYTES = 32;

    /** An envelope of one call. */
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
                reply,
                replyTo,
                context,
                null);
    }

    /** A GET of the URL, answered always. */
    public static RequestEnvelope get(String id, String url) {
        return new RequestEnvelope(id, "GET", url, List.of(), null, 0, 0, 0, null, null, ReplyMode.ALWAYS, null, null);
    }

    /** Returns the most bytes that it holds on the heap: text has one byte a character, or two if any is beyond Latin-1. */
    public long heapBytes() {
        long bytes = ENVELOPE_BYTES
                + HeapSize.of(id)
                + HeapSize.of(method)
                + 2 * HeapSize.of(url) // As written, and as parsed.
                + HeapSize.of(idempotencyKey)
                + HeapSize.of(auth)
                + HeapSize.of(replyTo)
                + HeapSize.of(context)
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

    /** Everything but the body, which may hold what no log should. */
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
