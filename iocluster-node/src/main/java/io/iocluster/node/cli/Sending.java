package io.iocluster.node.cli;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.CallTimeoutException.Progress;
import io.iocluster.client.EnvelopeCalls;
import io.iocluster.client.OutgoingRequest;
import io.iocluster.settings.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Puts lines of JSON on the queue, so many at once, and counts how that went. Confined to one thread, but for its counts. */
final class Sending {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final EnvelopeCalls calls;
    private final PrintStream out;
    private final PrintStream err;
    private final Duration patience;
    private final Phaser open = new Phaser(1);
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();
    private volatile boolean silent;
    private long refused;

    /**
     * Sends nothing yet.
     *
     * @param out takes the answers as they come; null if nobody waits for them
     * @param err takes one line for each line that was not sent
     * @param patience how long the broker may take to confirm an envelope, and its answer to come
     */
    Sending(EnvelopeCalls calls, PrintStream out, PrintStream err, Duration patience) {
        this.calls = calls;
        this.out = out;
        this.err = err;
        this.patience = patience;
    }

    /**
     * Sends every line and returns when each is confirmed, and answered if that is awaited, or will not be any more; once only.
     *
     * @throws IOException if the lines cannot be read or the broker does not answer
     */
    void send(InputStream in) throws IOException {
        NdjsonLines lines = new NdjsonLines(in);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            if (!new String(line, StandardCharsets.ISO_8859_1).isBlank()) {
                send(line, lines.number());
            }
            requireConfirmations();
        }
        open.arriveAndAwaitAdvance();
        requireConfirmations();
    }

    private void requireConfirmations() throws IOException {
        if (silent) {
            throw new IOException("the broker did not confirm within " + DurationText.format(patience) + "; "
                    + enqueued.get() + " envelopes were enqueued for sure");
        }
    }

    private void send(byte[] line, long number) {
        ObjectNode envelope;
        try {
            if (!(JSON.readTree(line) instanceof ObjectNode object)) {
                refuse(number, "not a JSON object");
                return;
            }
            envelope = object;
        } catch (JacksonException broken) {
            refuse(
                    number,
                    "not JSON: "
                            + broken.getOriginalMessage().lines().findFirst().orElse(""));
            return;
        }
        if (out == null || !wantsAnswerHere(envelope)) {
            open.register();
            calls.enqueue(null, patience, OutgoingRequest.of(line))
                    .whenComplete((confirmed, failure) -> ended(number, failure));
        } else if (envelope.hasNonNull("id") && !envelope.get("id").isString()) {
            refuse(number, "id must be a string, or its answer cannot be told from others");
        } else if (envelope.hasNonNull("id")) {
            call(envelope.get("id").asString(), line, number);
        } else {
            String id = UUID.randomUUID().toString();
            envelope.put("id", id);
            call(id, JSON.writeValueAsBytes(envelope), number);
        }
    }

    private void call(String id, byte[] envelope, long number) {
        open.register();
        calls.call(id, patience, left -> OutgoingRequest.of(envelope))
                .thenAccept(this::print)
                .whenComplete((printed, failure) -> ended(number, failure));
    }

    private void print(byte[] answer) {
        synchronized (out) {
            out.write(answer, 0, answer.length);
            out.write('\n');
            out.flush();
        }
    }

    private void ended(long number, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause == null) {
            enqueued.incrementAndGet();
        } else if (cause instanceof CallTimeoutException late && late.progress() == Progress.ENQUEUED) {
            enqueued.incrementAndGet();
            unanswered.incrementAndGet();
        } else if (cause instanceof CallTimeoutException late && late.progress() == Progress.UNCONFIRMED) {
            failed.incrementAndGet();
            silent = true;
        } else {
            failed.incrementAndGet();
            err.println("line " + number + ": " + cause.getMessage());
        }
        open.arriveAndDeregister();
    }

    /** Whether an answer will come, and to the queue that is followed. */
    private static boolean wantsAnswerHere(ObjectNode envelope) {
        String reply = envelope.path("reply").asString("always");
        return reply.equals("always") && !envelope.path("replyTo").isString();
    }

    private void refuse(long number, String problem) {
        refused++;
        err.println("line " + number + ": " + problem);
    }

    /** How many lines the broker confirmed. */
    long enqueued() {
        return enqueued.get();
    }

    /** How many lines were not sent, because they are no JSON object or because the broker did not take them. */
    long unsent() {
        return refused + failed.get();
    }

    /** How many of those that the broker confirmed had no answer in time. */
    long unanswered() {
        return unanswered.get();
    }
}
