package io.iocluster.node.cli;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.client.EnvelopeClient;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.settings.DurationText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Puts lines of JSON on the queue, so many at once, and counts how that went. Confined to one thread, but for its counts. */
final class EnvelopeSender {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final EnvelopeClient calls;
    private final PrintStream out;
    private final PrintStream err;
    private final Duration patience;
    private final Phaser open = new Phaser(1);
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong quiet = new AtomicLong();
    private final AtomicLong elsewhere = new AtomicLong();
    private volatile boolean silent;
    private long refused;

    /**
     * Sends nothing yet.
     *
     * @param out takes the answers as they come; null if nobody waits for them
     * @param err takes one line for each line that was not sent
     * @param patience how long the broker may take to confirm an envelope, and its answer to come
     */
    EnvelopeSender(EnvelopeClient calls, PrintStream out, PrintStream err, Duration patience) {
        this.calls = calls;
        this.out = out;
        this.err = err;
        this.patience = patience;
    }

    /**
     * Sends every line and returns when each is confirmed, and answered if that is awaited, or will not be any more; once only.
     * An answer is awaited where one comes in every case and to the place that all answers go to.
     *
     * @throws IOException if the lines cannot be read or the broker does not answer
     */
    void send(InputStream in) throws IOException {
        NdjsonReader lines = new NdjsonReader(in);
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
        try {
            if (JSON.readTree(line) instanceof ObjectNode envelope) {
                send(envelope, line, number);
            } else {
                refuse(number, "not a JSON object");
            }
        } catch (JacksonException broken) {
            String problem = broken.getOriginalMessage();
            refuse(number, "not JSON: " + problem.lines().findFirst().orElse(""));
        }
    }

    private void send(ObjectNode envelope, byte[] line, long number) {
        if (out == null) {
            enqueue(line, number, () -> {});
        } else if (isQuiet(envelope)) {
            enqueue(line, number, quiet::incrementAndGet);
        } else if (isAnsweredElsewhere(envelope)) {
            enqueue(line, number, elsewhere::incrementAndGet);
        } else if (!envelope.hasNonNull("id")) {
            String id = UUID.randomUUID().toString();
            envelope.put("id", id);
            call(id, JSON.writeValueAsBytes(envelope), number);
        } else if (text(envelope, "id").isEmpty()) {
            refuse(number, "id must be a string and not empty, or its answer cannot be told from others");
        } else {
            call(text(envelope, "id"), line, number);
        }
    }

    /** Whether an answer comes in no case, or only if the call fails. Any other word is a mistake that the node answers. */
    private static boolean isQuiet(ObjectNode envelope) {
        String reply = text(envelope, "reply");
        return reply.equals("never") || reply.equals("failures");
    }

    /** Whether the envelope names the place of its answer, be it one that the node does not allow. */
    private static boolean isAnsweredElsewhere(ObjectNode envelope) {
        return !text(envelope, "replyTo").isEmpty();
    }

    /** Empty where a node finds no text either. */
    private static String text(ObjectNode envelope, String field) {
        JsonNode value = envelope.path(field);
        return value.isString() ? value.asString() : "";
    }

    private void enqueue(byte[] line, long number, Runnable confirmed) {
        open.register();
        calls.enqueue(null, patience, OutgoingRequest.of(line))
                .thenRun(confirmed)
                .whenComplete((done, failure) -> ended(number, failure));
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
        } else if (cause instanceof CallTimeoutException late && late.stage() == CallStage.ENQUEUED) {
            enqueued.incrementAndGet();
            unanswered.incrementAndGet();
        } else if (cause instanceof CallTimeoutException late && late.stage() == CallStage.UNCONFIRMED) {
            failed.incrementAndGet();
            silent = true;
        } else {
            failed.incrementAndGet();
            err.println("line " + number + ": " + cause.getMessage());
        }
        open.arriveAndDeregister();
    }

    private void refuse(long number, String problem) {
        refused++;
        err.println("line " + number + ": " + problem);
    }

    /** Whether every line was sent, and answered where that was awaited. */
    boolean isAllSent() {
        return unsent() == 0 && unanswered.get() == 0;
    }

    private long unsent() {
        return refused + failed.get();
    }

    /** What became of the lines, in one line for people. */
    String summary() {
        String sent = "sent " + enqueued.get() + ", not sent " + unsent();
        return out == null ? sent : sent + ", without an answer " + unanswered.get() + notAwaited();
    }

    private String notAwaited() {
        List<String> reasons = new ArrayList<>();
        if (quiet.get() > 0) {
            reasons.add(quiet.get() + " with reply failures or never");
        }
        if (elsewhere.get() > 0) {
            reasons.add(elsewhere.get() + " with replyTo");
        }
        return reasons.isEmpty()
                ? ""
                : ", not waited for " + (quiet.get() + elsewhere.get()) + ": " + String.join(", ", reasons);
    }
}
