package io.iocluster.message;

import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/** Encodes answer envelopes. Thread-safe. */
public final class AnswerEncoder {

    private static final SerializableString ID = new SerializedString("id");
    private static final SerializableString OUTCOME = new SerializedString("outcome");
    private static final SerializableString STATUS = new SerializedString("status");
    private static final SerializableString BODY = new SerializedString("body");
    private static final SerializableString BODY_BASE64 = new SerializedString("bodyBase64");
    private static final SerializableString TRUNCATED = new SerializedString("truncated");
    private static final SerializableString UNUSABLE = new SerializedString("unusable");
    private static final SerializableString ERROR = new SerializedString("error");
    private static final SerializableString CODE = new SerializedString("code");
    private static final SerializableString MESSAGE = new SerializedString("message");
    private static final SerializableString SENT = new SerializedString("sent");
    private static final SerializableString ATTEMPTS = new SerializedString("attempts");
    private static final SerializableString NODE = new SerializedString("node");
    private static final SerializableString TIMING = new SerializedString("timing");
    private static final SerializableString QUEUED_MS = new SerializedString("queuedMs");
    private static final SerializableString TOTAL_MS = new SerializedString("totalMs");
    private static final SerializableString DNS_MS = new SerializedString("dnsMs");
    private static final SerializableString CONNECT_MS = new SerializedString("connectMs");
    private static final SerializableString TLS_MS = new SerializedString("tlsMs");
    private static final SerializableString FIRST_BYTE_MS = new SerializedString("firstByteMs");
    private static final SerializableString CACHE = new SerializedString("cache");
    private static final SerializableString HIT = new SerializedString("hit");
    private static final SerializableString AGE_MS = new SerializedString("ageMs");
    private static final SerializableString STALE = new SerializedString("stale");
    private static final SerializableString BRANCH = new SerializedString("branch");
    private static final SerializableString RESULTS = new SerializedString("results");
    private static final SerializableString CONTEXT = new SerializedString("context");

    private final JsonFactory json = StrictJson.factory(Integer.MAX_VALUE);

    /** Returns the answer as JSON in UTF-8. The body is text if it is valid UTF-8, otherwise base64. */
    public byte[] encode(Answer answer) {
        return encode(answer, 0);
    }

    /** Encodes like {@link #encode(Answer)}, with an initial buffer of {@code expectedBytes}. */
    public byte[] encode(Answer answer, int expectedBytes) {
        ExactOutput bytes = new ExactOutput(expectedBytes);
        try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
            out.writeStartObject();
            text(out, ID, answer.id());
            writeOutcome(out, answer);
            if (!answer.results().isEmpty()) {
                writeResults(out, answer.results());
            }
            number(out, ATTEMPTS, answer.attempts());
            text(out, NODE, answer.node());
            writeTiming(out, answer.timing());
            if (answer.context() != null) {
                out.writeName(CONTEXT);
                out.writeRawValue(answer.context());
            }
            out.writeEndObject();
        }
        return bytes.toArray();
    }

    /**
     * Writes the fields that say how the call ended. An answer with results has status, headers and body only there.
     */
    private static void writeOutcome(JsonGenerator out, Answer answer) {
        text(out, OUTCOME, answer.outcome().wireName());
        if (answer.branch() != Answer.NO_BRANCH) {
            number(out, BRANCH, answer.branch());
        }
        if (answer.outcome() == Outcome.ANSWERED && answer.results().isEmpty()) {
            number(out, STATUS, answer.status());
            HeadersJson.write(out, answer.headers());
            writeBody(out, answer.body());
            out.writeName(TRUNCATED);
            out.writeBoolean(answer.truncated());
            if (answer.unusable() != null) {
                text(out, UNUSABLE, answer.unusable());
            }
        }
        if (answer.cache() != null) {
            writeCache(out, answer.cache());
        }
        if (answer.error() != null) {
            writeError(out, answer.error());
        }
    }

    private static void writeResults(JsonGenerator out, List<Answer> results) {
        out.writeName(RESULTS);
        out.writeStartArray();
        for (Answer result : results) {
            out.writeStartObject();
            writeOutcome(out, result);
            number(out, ATTEMPTS, result.attempts());
            writeTiming(out, result.timing());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeBody(JsonGenerator out, byte[] body) {
        String text = Utf8.decode(body);
        if (text != null) {
            text(out, BODY, text);
        } else {
            out.writeName(BODY_BASE64);
            out.writeBinary(body);
        }
    }

    private static void writeError(JsonGenerator out, CallError error) {
        out.writeName(ERROR);
        out.writeStartObject();
        text(out, CODE, error.code());
        text(out, MESSAGE, error.message());
        text(out, SENT, error.sent().wireName());
        out.writeEndObject();
    }

    private static void writeCache(JsonGenerator out, CacheUse use) {
        out.writeName(CACHE);
        out.writeStartObject();
        out.writeName(HIT);
        out.writeBoolean(use.hit());
        number(out, AGE_MS, use.ageMs());
        if (use.stale()) {
            out.writeName(STALE);
            out.writeBoolean(true);
        }
        out.writeEndObject();
    }

    /** Writes the durations that are not 0. Most calls use an open connection, so half of the durations are 0. */
    private static void writeTiming(JsonGenerator out, Timing timing) {
        if (timing.equals(Timing.NONE)) {
            return;
        }
        out.writeName(TIMING);
        out.writeStartObject();
        duration(out, QUEUED_MS, timing.queuedMs());
        duration(out, TOTAL_MS, timing.totalMs());
        duration(out, DNS_MS, timing.dnsMs());
        duration(out, CONNECT_MS, timing.connectMs());
        duration(out, TLS_MS, timing.tlsMs());
        duration(out, FIRST_BYTE_MS, timing.firstByteMs());
        out.writeEndObject();
    }

    private static void duration(JsonGenerator out, SerializableString name, long millis) {
        if (millis != 0) {
            number(out, name, millis);
        }
    }

    private static void text(JsonGenerator out, SerializableString name, String value) {
        out.writeName(name);
        out.writeString(value);
    }

    private static void number(JsonGenerator out, SerializableString name, long value) {
        out.writeName(name);
        out.writeNumber(value);
    }

    /**
     * Collects what the generator writes. The array has the exact size if the generator writes once, so a small answer is copied once.
     * Confined to one thread.
     */
    private static final class ExactOutput extends OutputStream {

        private byte[] bytes;
        private int length;

        ExactOutput(int capacity) {
            bytes = new byte[capacity];
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) {
            int needed = Math.addExact(length, count);
            if (needed > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(needed, 2L * length)));
            }
            System.arraycopy(from, offset, bytes, length, count);
            length = needed;
        }

        byte[] toArray() {
            return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        }
    }
}
