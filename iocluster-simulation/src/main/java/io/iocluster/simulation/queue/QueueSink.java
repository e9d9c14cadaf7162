package io.iocluster.simulation.queue;

import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.testkit.simulation.SimulatedProcess;
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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Publishes to a broker. Confined to the thread of the simulation. */
final class QueueSink implements ResponseSink {

    private static final List<Duration> DELAYS =
            List.of(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(5));

    private final QueueBroker broker;
    private final SimulatedProcess process;
    private final Set<CompletableFuture<PublishResult>> open = new LinkedHashSet<>();
    private boolean closed;

    QueueSink(QueueBroker broker, SimulatedProcess process) {
        this.broker = broker;
        this.process = process;
    }

    @Override
    public void start() {}

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return true;
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return broker.isMissing(replyTo);
    }

    @Override
    public boolean isReachable() {
        return !broker.isDown();
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        QueueMessage message = message(request);
        return publish(
                replyTo == null ? SimulatedBroker.ANSWERS : replyTo, message, answer, senderHeaders(message), null);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        QueueMessage message = message(request);
        return publish(SimulatedBroker.DEAD_LETTERS, message, message.payload(), reasonHeaders(message, reason), null);
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        QueueMessage message = message(request);
        Map<String, String> headers = reasonHeaders(message, reason);
        headers.put(DeadLetterReason.CONTENT_HEADER, DeadLetterReason.CONTENT_ANSWER);
        return publish(SimulatedBroker.DEAD_LETTERS, message, answer, headers, null);
    }

    @Override
    public List<Duration> supportedDelays() {
        return DELAYS;
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        QueueMessage message = message(request);
        Map<String, String> headers = senderHeaders(message);
        state.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return publish(SimulatedBroker.DELAYED, message, message.payload(), headers, delay);
    }

    private static QueueMessage message(Delivery request) {
        return ((QueueDelivery) request).message();
    }

    private Map<String, String> reasonHeaders(QueueMessage message, DeadLetterReason reason) {
        Map<String, String> headers = senderHeaders(message);
        reason.headers(message.coordinates(), process.name(), Instant.ofEpochMilli(process.wallMillis()))
                .forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return headers;
    }

    private static Map<String, String> senderHeaders(QueueMessage message) {
        Map<String, String> headers = new LinkedHashMap<>(message.headers());
        headers.keySet().removeIf(ReservedHeaders::isReserved);
        return headers;
    }

    private CompletionStage<PublishResult> publish(
            String queue, QueueMessage request, byte[] payload, Map<String, String> headers, Duration delay) {
        CompletableFuture<PublishResult> result = new CompletableFuture<>();
        if (closed || !process.isAlive()) {
            result.complete(new PublishResult.Failed("closed"));
            return result;
        }
        open.add(result);
        broker.publish(process, queue, request, payload, headers, delay, how -> {
            open.remove(result);
            result.complete(how);
        });
        return result;
    }

    @Override
    public void close() {
        closed = true;
        List.copyOf(open).forEach(result -> result.complete(new PublishResult.Failed("closed")));
        open.clear();
    }
}
