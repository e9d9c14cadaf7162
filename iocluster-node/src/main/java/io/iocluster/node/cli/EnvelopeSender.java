package io.iocluster.node.cli;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.client.EnvelopeClient;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import io.iocluster.thread.StageFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Enqueues lines of JSON and counts the results. Confined to one thread, except for its counters. */
final class EnvelopeSender {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final EnvelopeClient calls;
    private final PrintStream out;
    private final PrintStream err;
    private final Duration timeout;
    private final Phaser pending = new Phaser(1);
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong unanswered = new AtomicLong();
    private final AtomicLong replyDisabled = new AtomicLong();
    private final AtomicLong otherReplyTo = new AtomicLong();
    private volatile boolean confirmTimedOut;
    private long rejected;

    /**
     * Creates a sender.
     *
     * @param out receives the answers as they arrive; null to not wait for answers
     * @param err receives one message for each line that was not sent
     * @param timeout maximum time for the broker to confirm an envelope, and for its answer to arrive
     */
    EnvelopeSender(EnvelopeClient calls, PrintStream out, PrintStream err, Duration timeout) {
        this.calls = calls;
        this.out = out;
        this.err = err;
        this.timeout = timeout;
    }

    /**
     * Sends every line. Returns when each has failed or is confirmed, and each awaited answer has arrived. The answer of an envelope is
     * awaited if the node always publishes it to the configured topic or queue. Call it only once.
     *
     * @throws IOException if the lines cannot be read or the broker does not confirm an envelope in time
     */
    void send(InputStream in) throws IOException {
        NdjsonReader lines = new NdjsonReader(in);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            if (!new String(line, StandardCharsets.ISO_8859_1).isBlank()) {
                send(line, lines.number());
            }
            requireConfirmations();
        }
        pending.arriveAndAwaitAdvance();
        requireConfirmations();
    }

    private void requireConfirmations() throws IOException {
        if (confirmTimedOut) {
            throw new IOException("the broker did not confirm within " + DurationText.format(timeout) + "; "
                    + enqueued.get() + " envelopes were confirmed");
        }
    }

    private void send(byte[] line, long number) {
        try {
            if (JSON.readTree(line) instanceof ObjectNode envelope) {
                send(envelope, line, number);
            } else {
                reject(number, "not a JSON object");
            }
        } catch (JacksonException broken) {
            String problem = broken.getOriginalMessage();
            reject(number, "not JSON: " + problem.lines().findFirst().orElse(""));
        }
    }

    private void send(ObjectNode envelope, byte[] line, long number) {
        if (out == null) {
            enqueue(line, number, () -> {});
        } else if (isReplyDisabled(envelope)) {
            enqueue(line, number, replyDisabled::incrementAndGet);
        } else if (hasReplyTo(envelope)) {
            enqueue(line, number, otherReplyTo::incrementAndGet);
        } else if (!envelope.hasNonNull("id")) {
            String id = Platform.system().uniqueId().toString();
            envelope.put("id", id);
            call(id, JSON.writeValueAsBytes(envelope), number);
        } else if (text(envelope, "id").isEmpty()) {
            reject(number, "id must be a non-empty string so that the answer can be matched");
        } else {
            call(text(envelope, "id"), line, number);
        }
    }

    /**
     * Returns whether the envelope asks for no answer, or for one only if its call fails. The node answers any other value with a
     * rejection.
     */
    private static boolean isReplyDisabled(ObjectNode envelope) {
        String reply = text(envelope, "reply");
        return reply.equals("never") || reply.equals("failures");
    }

    /** Returns whether the envelope names its own reply destination, allowed or not. */
    private static boolean hasReplyTo(ObjectNode envelope) {
        return !text(envelope, "replyTo").isEmpty();
    }

    /** Returns an empty string if the field is missing or not text, as the node does. */
    private static String text(ObjectNode envelope, String field) {
        JsonNode value = envelope.path(field);
        return value.isString() ? value.asString() : "";
    }

    private void enqueue(byte[] line, long number, Runnable confirmed) {
        pending.register();
        calls.enqueue(null, timeout, OutgoingRequest.of(line))
                .thenRun(confirmed)
                .whenComplete((done, failure) -> ended(number, failure));
    }

    private void call(String id, byte[] envelope, long number) {
        pending.register();
        calls.call(id, timeout, left -> OutgoingRequest.of(envelope))
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
        Throwable cause = StageFailure.unwrap(failure);
        if (cause == null) {
            enqueued.incrementAndGet();
        } else if (cause instanceof CallTimeoutException late && late.stage() == CallStage.ENQUEUED) {
            enqueued.incrementAndGet();
            unanswered.incrementAndGet();
        } else if (cause instanceof CallTimeoutException late && late.stage() == CallStage.UNCONFIRMED) {
            failed.incrementAndGet();
            confirmTimedOut = true;
        } else {
            failed.incrementAndGet();
            err.println("line " + number + ": " + cause.getMessage());
        }
        pending.arriveAndDeregister();
    }

    private void reject(long number, String problem) {
        rejected++;
        err.println("line " + number + ": " + problem);
    }

    /** Returns whether every line was sent and every awaited answer arrived. */
    boolean isAllSent() {
        return unsent() == 0 && unanswered.get() == 0;
    }

    private long unsent() {
        return rejected + failed.get();
    }

    /** Returns the summary of the results as one line. */
    String summary() {
        String sent = "sent " + enqueued.get() + ", not sent " + unsent();
        return out == null ? sent : sent + ", without an answer " + unanswered.get() + notAwaited();
    }

    private String notAwaited() {
        List<String> reasons = new ArrayList<>();
        if (replyDisabled.get() > 0) {
            reasons.add(replyDisabled.get() + " with reply failures or never");
        }
        if (otherReplyTo.get() > 0) {
            reasons.add(otherReplyTo.get() + " with replyTo");
        }
        return reasons.isEmpty()
                ? ""
                : ", not waited for " + (replyDisabled.get() + otherReplyTo.get()) + ": " + String.join(", ", reasons);
    }
}
