package io.iocluster.lab.load.data;

import io.iocluster.message.DecodedRequest;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.node.config.binding.FileReadError;
import io.iocluster.settings.StatusPattern;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads recorded calls one by one. Confined to one thread. */
public final class ReplayReader implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MAX_ENVELOPE_BYTES = 16 << 20;
    private static final Duration MAX_DUE = Duration.ofDays(7);
    private static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);
    private static final List<StatusPattern> SUCCESS = List.of(StatusPattern.parse("2xx"));

    private final Path file;
    private final int template;
    private final double speed;
    private final BufferedReader reader;
    private final RequestDecoder decoder = new RequestDecoder(MAX_ENVELOPE_BYTES, 1);
    private long line;
    private long firstNanos = Long.MIN_VALUE;
    private long lastNanos;

    /**
     * A recorded call.
     *
     * @param dueNanos since the first call, at the pace of the replay; never before the previous call
     */
    public record RecordedCall(long dueNanos, CallSpec call) {}

    /**
     * What a file contains.
     *
     * @param calls number of calls
     * @param durationNanos from the first call to the last one, at the pace of the replay
     */
    public record Summary(long calls, long durationNanos) {}

    /**
     * Opens a file.
     *
     * @param template index of the template under which the calls count
     * @param speed 2 for twice the recorded pace
     */
    public ReplayReader(Path file, int template, double speed) throws IOException {
        this.file = file;
        this.template = template;
        this.speed = speed;
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(file + ": is not a file");
        }
        try {
            this.reader = Files.newBufferedReader(file);
        } catch (NoSuchFileException missing) {
            throw new IOException(file + ": does not exist", missing);
        } catch (FileSystemException unreadable) {
            throw new IOException(file + ": cannot be read: " + FileReadError.reason(file, unreadable), unreadable);
        }
    }

    /**
     * Reads the whole file and checks each line.
     *
     * @throws IOException if the file cannot be read, has no calls, or a line is invalid; the message names the line
     */
    public static Summary summarize(Path file, double speed) throws IOException {
        long calls = 0;
        long last = 0;
        try (ReplayReader reader = new ReplayReader(file, 0, speed)) {
            for (RecordedCall call = reader.next(); call != null; call = reader.next()) {
                calls++;
                last = call.dueNanos();
            }
        }
        if (calls == 0) {
            throw new IOException(file + ": has no calls");
        }
        return new Summary(calls, last);
    }

    /**
     * Returns the next call; null at the end of the file.
     *
     * @throws IOException if the file cannot be read or the line is invalid; the message names the line
     */
    public RecordedCall next() throws IOException {
        String text = nextLine();
        if (text == null) {
            return null;
        }
        ObjectNode tree = parse(text);
        long atNanos = atNanos(tree.remove("at"));
        if (firstNanos == Long.MIN_VALUE) {
            firstNanos = atNanos;
        }
        double dueNanos = ((double) atNanos - firstNanos) / speed;
        if (dueNanos > MAX_DUE.toNanos()) {
            throw wrong("is due more than " + MAX_DUE.toDays() + " days after the first call", null);
        }
        lastNanos = Math.max(lastNanos, Math.round(dueNanos));
        return new RecordedCall(lastNanos, call(tree));
    }

    private String nextLine() throws IOException {
        try {
            String text;
            do {
                text = reader.readLine();
                line++;
            } while (text != null && text.isBlank());
            return text;
        } catch (MalformedInputException notText) {
            throw new IOException(file + ": is not text in UTF-8", notText);
        }
    }

    private ObjectNode parse(String text) throws IOException {
        try {
            if (JSON.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException damaged) {
            throw wrong(damaged.getOriginalMessage(), damaged);
        }
        throw wrong("is not a JSON object", null);
    }

    private long atNanos(JsonNode at) throws IOException {
        if (at != null && at.isNumber()) {
            return Math.round(at.asDouble() * 1e6);
        }
        if (at == null || !at.isString()) {
            throw wrong("has no field at with the time of the call, as an ISO time or in milliseconds", null);
        }
        try {
            Instant time = Instant.parse(at.asString());
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (DateTimeParseException | ArithmeticException notATime) {
            throw wrong("at is not a time such as 2026-11-27T08:00:00.250Z: " + at.asString(), notATime);
        }
    }

    private CallSpec call(ObjectNode tree) throws IOException {
        RequestEnvelope envelope = envelope(decoder.decode(tree.toString().getBytes(StandardCharsets.UTF_8)));
        if (envelope.scatter() != null) {
            throw wrong("has several calls, which a replay does not support", null);
        }
        return new CallSpec(
                template,
                envelope.method(),
                envelope.url(),
                envelope.headers(),
                envelope.body(),
                envelope.deadlineMs() == 0 ? DEFAULT_DEADLINE : Duration.ofMillis(envelope.deadlineMs()),
                Duration.ofMillis(envelope.timeoutMs()),
                envelope.maxAttempts(),
                envelope.idempotencyKey(),
                envelope.auth(),
                null,
                Map.of(),
                SUCCESS);
    }

    private RequestEnvelope envelope(DecodedRequest decoded) throws IOException {
        if (decoded instanceof DecodedRequest.Valid valid) {
            return valid.envelope();
        }
        throw wrong(
                decoded instanceof DecodedRequest.Invalid invalid
                        ? invalid.message()
                        : ((DecodedRequest.Malformed) decoded).message(),
                null);
    }

    private IOException wrong(String problem, Throwable cause) {
        return new IOException(file + ":" + line + ": " + problem, cause);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
