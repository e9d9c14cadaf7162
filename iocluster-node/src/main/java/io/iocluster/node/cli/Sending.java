package io.iocluster.node.cli;

import io.iocluster.node.BrokerAccess.RequestQueue;
import io.iocluster.settings.DurationText;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
    private static final int MOST_UNCONFIRMED = 5_000;

    private final RequestQueue queue;
    private final AwaitedAnswers awaited;
    private final PrintStream err;
    private final Duration patience;
    private final Semaphore places = new Semaphore(MOST_UNCONFIRMED);
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private long refused;

    /**
     * @param awaited null if nobody waits for answers
     * @param err takes one line for each line that was not sent
     * @param patience how long the broker may take to confirm
     */
    Sending(RequestQueue queue, AwaitedAnswers awaited, PrintStream err, Duration patience) {
        this.queue = queue;
        this.awaited = awaited;
        this.err = err;
        this.patience = patience;
    }

    /**
     * Sends every line and returns when the broker has confirmed or refused each; once only.
     *
     * @throws IOException if the lines cannot be read or the broker does not answer
     */
    void send(InputStream in) throws IOException, InterruptedException {
        NdjsonLines lines = new NdjsonLines(in);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            if (!new String(line, StandardCharsets.ISO_8859_1).isBlank()) {
                send(line, lines.number());
            }
        }
        awaitPlaces(MOST_UNCONFIRMED);
    }

    private void send(byte[] line, long number) throws IOException, InterruptedException {
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
        byte[] bytes = line;
        String id = null;
        if (awaited != null && wantsAnswerHere(envelope)) {
            if (envelope.hasNonNull("id") && !envelope.get("id").isString()) {
                refuse(number, "id must be a string, or its answer cannot be told from others");
                return;
            }
            if (!envelope.hasNonNull("id")) {
                envelope.put("id", UUID.randomUUID().toString());
                bytes = JSON.writeValueAsBytes(envelope);
            }
            id = envelope.get("id").asString();
            awaited.expect(id);
        }
        enqueue(bytes, id, number);
    }

    /** Whether an answer will come, and to the queue that is followed. */
    private static boolean wantsAnswerHere(ObjectNode envelope) {
        String reply = envelope.path("reply").asString("always");
        return reply.equals("always") && !envelope.path("replyTo").isString();
    }

    private void enqueue(byte[] bytes, String id, long number) throws IOException, InterruptedException {
        awaitPlaces(1);
        queue.enqueue(null, Map.of(), bytes).thenAccept(result -> {
            if (result instanceof PublishResult.Confirmed) {
                enqueued.incrementAndGet();
            } else {
                failed.incrementAndGet();
                err.println("line " + number + ": not enqueued: " + problem(result));
                if (id != null) {
                    awaited.forget(id);
                }
            }
            places.release();
        });
    }

    private void awaitPlaces(int count) throws IOException, InterruptedException {
        if (!places.tryAcquire(count, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("the broker did not confirm within " + DurationText.format(patience) + "; "
                    + enqueued.get() + " envelopes were enqueued for sure");
        }
    }

    private static String problem(PublishResult result) {
        if (result instanceof PublishResult.TooLarge tooLarge) {
            return tooLarge.problem();
        }
        return result instanceof PublishResult.Failed broken ? broken.problem() : "";
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
}
