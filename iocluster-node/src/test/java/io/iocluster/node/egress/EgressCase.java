package io.iocluster.node.egress;

import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.RequestEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One input and how it has to end.
 *
 * @param id tells the row's answer or dead letter from the others'
 * @param ending as {@link EgressResult#text} says it
 * @param ageMillis how long it has been on the queue
 * @param timeoutMillis how long the call has to take, 0 where that does not matter
 */
record EgressCase(String id, byte[] payload, String ending, long ageMillis, long timeoutMillis) {

    private static final RequestEncoder ENCODER = new RequestEncoder();

    static EgressCase url(String id, String url, String ending) {
        return call(id, "GET", url, List.of(), null, ending);
    }

    static EgressCase call(String id, String method, String url, List<Header> headers, byte[] body, String ending) {
        return of(
                new RequestEnvelope(id, method, url, headers, body, 0, 0, 0, null, null, ReplyMode.ALWAYS, null, null),
                ending);
    }

    /** A call that is tried once, and ends when its time is over. */
    static EgressCase bounded(String id, String url, long timeoutMillis, String ending) {
        RequestEnvelope envelope = new RequestEnvelope(
                id, "GET", url, List.of(), null, timeoutMillis, 0, 1, null, null, ReplyMode.ALWAYS, null, null);
        return new EgressCase(id, ENCODER.encode(envelope), ending, 0, timeoutMillis);
    }

    static EgressCase of(RequestEnvelope envelope, String ending) {
        return new EgressCase(envelope.id(), ENCODER.encode(envelope), ending, 0, 0);
    }

    /** An envelope in JSON, whose quotes may be written as apostrophes; {@code ID} stands for the id. */
    static EgressCase json(String id, String json, String ending) {
        return raw(
                id,
                json.replace("ID", "'id': '" + id + "'").replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                ending);
    }

    static EgressCase raw(String id, byte[] payload, String ending) {
        return new EgressCase(id, payload, ending, 0, 0);
    }

    EgressCase old(long millis) {
        return new EgressCase(id, payload, ending, millis, timeoutMillis);
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
        return id + " → " + ending;
    }
}
