package io.iocluster.testkit.memory;

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

/** Publishes to a {@link MemoryBroker}; confirms on a thread of its own. Safe for several threads. */
final class MemorySink implements ResponseSink {

    private static final PublishResult CLOSED = new PublishResult.Failed("closed");

    private final MemoryBroker broker;
    private final String node;
    private final Set<String> replyPlaces;
    private final List<Duration> delays;
    private final Set<CompletableFuture<PublishResult>> unconfirmed = ConcurrentHashMap.newKeySet();
    private final ExecutorService confirms = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "memory-sink");
        created.setDaemon(true);
        return created;
    });
    private volatile boolean closed;

    MemorySink(MemoryBroker broker, String node, Set<String> replyPlaces, List<Duration> delays) {
        this.broker = broker;
        this.node = node;
        this.replyPlaces = Set.copyOf(replyPlaces);
        this.delays = List.copyOf(delays);
    }

    @Override
    public void start() {}

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return replyPlaces.contains(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        MemoryMessage asked = ((MemoryDelivery) request).message();
        Map<String, String> headers = ownHeaders(asked);
        if (trace != null) {
            headers.put(TraceContext.TRACEPARENT, trace.traceparent());
            headers.remove(TraceContext.TRACESTATE);
            if (trace.tracestate() != null) {
                headers.put(TraceContext.TRACESTATE, trace.tracestate());
            }
        }
        return publish(replyTo == null ? MemoryBroker.ANSWERS : replyTo, asked, answer, headers);
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
        MemoryMessage asked = ((MemoryDelivery) request).message();
        return publish(MemoryBroker.DEAD_LETTERS, asked, asked.payload(), reasonHeaders(asked, reason));
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        MemoryMessage asked = ((MemoryDelivery) request).message();
        Map<String, String> headers = reasonHeaders(asked, reason);
        headers.put(DeadLetterReason.CONTENT_HEADER, DeadLetterReason.CONTENT_ANSWER);
        return publish(MemoryBroker.DEAD_LETTERS, asked, answer, headers);
    }

    private Map<String, String> reasonHeaders(MemoryMessage asked, DeadLetterReason reason) {
        Map<String, String> headers = ownHeaders(asked);
        reason.headers(asked.coordinates(), node, Instant.now())
                .forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return headers;
    }

    @Override
    public List<Duration> supportedDelays() {
        return delays;
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        MemoryMessage asked = ((MemoryDelivery) request).message();
        Map<String, String> headers = ownHeaders(asked);
        state.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return publish(MemoryBroker.DELAYED, asked, asked.payload(), headers).thenApply(result -> {
            if (result instanceof PublishResult.Confirmed) {
                broker.sendDelayed(delay, asked.payload(), asked.correlationId(), headers);
            }
            return result;
        });
    }

    private static Map<String, String> ownHeaders(MemoryMessage asked) {
        Map<String, String> headers = new HashMap<>(asked.headers());
        headers.keySet().removeIf(ReservedHeaders::isReserved);
        return headers;
    }

    @Override
    public void close() {
        closed = true;
        unconfirmed.forEach(result -> result.complete(CLOSED));
        confirms.shutdown();
    }

    @SuppressWarnings("CollectionUndefinedEquality") // Each stage is itself and no other.
    private CompletionStage<PublishResult> publish(
            String place, MemoryMessage asked, byte[] payload, Map<String, String> headers) {
        if (closed) {
            return CompletableFuture.completedFuture(CLOSED);
        }
        MemoryMessage message = new MemoryMessage(
                asked.coordinates(), payload, asked.correlationId(), headers, System.currentTimeMillis(), false);
        CompletableFuture<PublishResult> result = new CompletableFuture<>();
        unconfirmed.add(result);
        broker.publish(place, message, this::onOwnThread).thenAccept(confirmed -> {
            unconfirmed.remove(result);
            result.complete(confirmed);
        });
        return result;
    }

    private void onOwnThread(Runnable confirm) {
        if (!closed) {
            confirms.execute(confirm);
        }
    }
}
