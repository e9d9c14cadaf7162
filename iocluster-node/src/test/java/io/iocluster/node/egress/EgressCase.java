package io.iocluster.node.egress;

import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.RequestEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One input and its expected result.
 *
 * @param id identifies the answer or dead letter of this case
 * @param expected the expected {@link EgressResult#text}
 * @param ageMillis time that the message has been on the queue
 * @param expectedMillis expected duration of the call; 0 if it does not matter
 */
record EgressCase(String id, byte[] payload, String expected, long ageMillis, long expectedMillis) {

    private static final RequestEncoder ENCODER = new RequestEncoder();

    static EgressCase url(String id, String url, String expected) {
        return call(id, "GET", url, List.of(), null, expected);
    }

    static EgressCase call(String id, String method, String url, List<Header> headers, byte[] body, String expected) {
        return of(
                new RequestEnvelope(id, method, url, headers, body, 0, 0, 0, null, null, ReplyMode.ALWAYS, null, null),
                expected);
    }

    /** Creates a call with one attempt. */
    static EgressCase once(String id, String url, String expected) {
        return bounded(id, url, 0, expected);
    }

    /** Creates a call with one attempt, which ends at its timeout. */
    static EgressCase bounded(String id, String url, long timeoutMillis, String expected) {
        RequestEnvelope envelope = new RequestEnvelope(
                id, "GET", url, List.of(), null, timeoutMillis, 0, 1, null, null, ReplyMode.ALWAYS, null, null);
        return new EgressCase(id, ENCODER.encode(envelope), expected, 0, timeoutMillis);
    }

    static EgressCase of(RequestEnvelope envelope, String expected) {
        return new EgressCase(envelope.id(), ENCODER.encode(envelope), expected, 0, 0);
    }

    /** Creates an envelope from JSON. Apostrophes stand for quotes, and {@code ID} for the id. */
    static EgressCase json(String id, String json, String expected) {
        return raw(
                id,
                json.replace("ID", "'id': '" + id + "'").replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                expected);
    }

    static EgressCase raw(String id, byte[] payload, String expected) {
        return new EgressCase(id, payload, expected, 0, 0);
    }

    /** Returns a copy whose message has been on the queue for this time. */
    EgressCase withAge(long millis) {
        return new EgressCase(id, payload, expected, millis, expectedMillis);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EgressCase row && id.equals(row.id) && Arrays.equals(payload, row.payload);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id + " → " + expected;
    }
}
