package io.iocluster.testkit.memory;

import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ReservedHeaders;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Publishes to a {@link MemoryBroker} and confirms on its own thread. Thread-safe. */
final class MemorySink implements ResponseSink {

    private static final PublishResult CLOSED = new PublishResult.Failed("closed");

    private final MemoryBroker broker;
    private final String node;
    private final Set<String> allowedReplyTo;
    private final List<Duration> delays;
    private final Set<CompletableFuture<PublishResult>> unconfirmed = ConcurrentHashMap.newKeySet();
    private final ExecutorService confirms =
            Executors.newSingleThreadExecutor(task -> DaemonThreadFactory.newThread("memory-sink", task));
    private volatile boolean closed;

    MemorySink(MemoryBroker broker, String node, Set<String> allowedReplyTo, List<Duration> delays) {
        this.broker = broker;
        this.node = node;
        this.allowedReplyTo = Set.copyOf(allowedReplyTo);
        this.delays = List.copyOf(delays);
    }

    @Override
    public void start() {}

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return allowedReplyTo.contains(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        MemoryMessage original = ((MemoryDelivery) request).message();
        Map<String, String> headers = senderHeaders(original);
        if (trace != null) {
            headers.put(TraceContext.TRACEPARENT, trace.traceparent());
            headers.remove(TraceContext.TRACESTATE);
            if (trace.tracestate() != null) {
                headers.put(TraceContext.TRACESTATE, trace.tracestate());
            }
        }
        return publish(replyTo == null ? MemoryBroker.ANSWERS : replyTo, original, answer, headers);
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return broker.isKnownMissing(replyTo);
    }

    @Override
    public boolean isReachable() {
        return !broker.isOffline();
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        MemoryMessage original = ((MemoryDelivery) request).message();
        return publish(MemoryBroker.DEAD_LETTERS, original, original.payload(), reasonHeaders(original, reason));
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        MemoryMessage original = ((MemoryDelivery) request).message();
        Map<String, String> headers = reasonHeaders(original, reason);
        headers.put(DeadLetterReason.CONTENT_HEADER, DeadLetterReason.CONTENT_ANSWER);
        return publish(MemoryBroker.DEAD_LETTERS, original, answer, headers);
    }

    private Map<String, String> reasonHeaders(MemoryMessage original, DeadLetterReason reason) {
        Map<String, String> headers = senderHeaders(original);
        reason.headers(original.coordinates(), node, Instant.now())
                .forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return headers;
    }

    @Override
    public List<Duration> supportedDelays() {
        return delays;
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        MemoryMessage original = ((MemoryDelivery) request).message();
        Map<String, String> headers = senderHeaders(original);
        state.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return publish(MemoryBroker.DELAYED, original, original.payload(), headers)
                .thenApply(result -> {
                    if (result instanceof PublishResult.Confirmed) {
                        broker.sendDelayed(delay, original.payload(), original.correlationId(), headers);
                    }
                    return result;
                });
    }

    private static Map<String, String> senderHeaders(MemoryMessage original) {
        Map<String, String> headers = new HashMap<>(original.headers());
        headers.keySet().removeIf(ReservedHeaders::isReserved);
        return headers;
    }

    @Override
    public void close() {
        closed = true;
        unconfirmed.forEach(result -> result.complete(CLOSED));
        confirms.shutdown();
    }

    @SuppressWarnings("CollectionUndefinedEquality") // The set compares stages by identity, as intended.
    private CompletionStage<PublishResult> publish(
            String queue, MemoryMessage original, byte[] payload, Map<String, String> headers) {
        if (closed) {
            return CompletableFuture.completedFuture(CLOSED);
        }
        MemoryMessage message = new MemoryMessage(
                original.coordinates(), payload, original.correlationId(), headers, System.currentTimeMillis(), false);
        CompletableFuture<PublishResult> result = new CompletableFuture<>();
        unconfirmed.add(result);
        broker.publish(queue, message, this::runOnSinkThread).thenAccept(confirmed -> {
            unconfirmed.remove(result);
            result.complete(confirmed);
        });
        return result;
    }

    private void runOnSinkThread(Runnable confirm) {
        if (!closed) {
            confirms.execute(confirm);
        }
    }
}
