package io.iocluster.pipeline;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A transport that the test controls: it offers deliveries, and confirms or refuses what is published. */
public final class FakeTransport implements Transport, RequestSource, ResponseSink {

    private static final int WAIT_SECONDS = 10;

    public final BlockingQueue<PublishedMessage> published = new LinkedBlockingQueue<>();
    public final BlockingQueue<DelayedMessage> delayed = new LinkedBlockingQueue<>();
    public volatile List<Duration> delays = List.of();
    public final AtomicInteger capacitySignals = new AtomicInteger();
    public final BlockingQueue<List<Integer>> prefetchHints = new LinkedBlockingQueue<>();
    public volatile boolean connected = true;
    public final Set<String> missing = ConcurrentHashMap.newKeySet();
    /** Thrown by each publish; null for nothing. */
    volatile Throwable defect;

    /** The result with which each publish completes before it returns; null if the test completes it. */
    public volatile PublishResult atOnce;

    final AtomicInteger refused = new AtomicInteger();
    /** Thrown when the source receives a prefetch hint; null for nothing. */
    volatile Throwable prefetchHintDefect;

    /** Thrown by the signal that there is capacity; null for no defect. */
    volatile Throwable capacityDefect;

    volatile boolean sourceClosed;
    public volatile boolean sinkClosed;
    private volatile Intake intake;

    /** A published message that waits for its confirmation: an answer, or a dead letter with its code. */
    public record PublishedMessage(
            Answer answer,
            String deadLetterCode,
            String replyTo,
            TraceContext trace,
            CompletableFuture<PublishResult> result) {

        public void confirm() {
            result.complete(PublishResult.CONFIRMED);
        }
    }

    /** A delayed retry that waits for its confirmation. */
    public record DelayedMessage(
            Delivery request, Duration delay, DelayedRetry state, CompletableFuture<PublishResult> result) {

        public void confirm() {
            result.complete(PublishResult.CONFIRMED);
        }

        /** Returns the message as the broker redelivers it. */
        public FakeDelivery redeliver(long timestampMillis) {
            Map<String, String> headers = new HashMap<>();
            if (request.header("app") != null) {
                headers.put("app", request.header("app"));
            }
            state.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
            return new FakeDelivery(new String(request.payload(), StandardCharsets.UTF_8), timestampMillis, headers)
                    .delayedRetry();
        }
    }

    /** Returns the next delayed retry. The test's thread runs what follows when it completes the result. */
    public DelayedMessage nextDelayed() throws InterruptedException {
        DelayedMessage next = delayed.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was delayed");
        }
        awaitListener(next.result());
        return next;
    }

    /** Waits until the publisher listens to the result. Before, it would run what follows on its own thread, at any later time. */
    private static void awaitListener(CompletableFuture<PublishResult> result) {
        long start = System.nanoTime();
        while (result.getNumberOfDependents() == 0) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(WAIT_SECONDS)) {
                throw new AssertionError("the publisher does not listen to the result");
            }
            Thread.yield();
        }
    }

    public boolean offer(Delivery delivery) {
        return intake.offer(delivery);
    }

    /** Returns the next answer or dead letter. The test's thread runs what follows when it completes the result. */
    public PublishedMessage nextPublished() throws InterruptedException {
        PublishedMessage next = published.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was published");
        }
        awaitListener(next.result());
        return next;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public RequestSource source() {
        return this;
    }

    @Override
    public ResponseSink sink() {
        return this;
    }

    @Override
    public void start(Intake target) {
        intake = target;
    }

    @Override
    public void start() {}

    @Override
    public void prefetchHint(int calls, int unconfirmed) {
        SneakyThrow.raise(prefetchHintDefect);
        prefetchHints.add(List.of(calls, unconfirmed));
    }

    @Override
    public void capacityAvailable() {
        capacitySignals.incrementAndGet();
        SneakyThrow.raise(capacityDefect);
    }

    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public CompletionStage<Void> stopIntake() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public SourceStatus status() {
        return new SourceStatus(connected, null, Set.of(), 0, List.of(), 0, 0);
    }

    @Override
    public void close(Duration within) {
        sourceClosed = true;
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return replyTo.startsWith("allowed");
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return missing.contains(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        if (defect != null) {
            refused.incrementAndGet();
            SneakyThrow.raise(defect);
        }
        if (atOnce != null) {
            return CompletableFuture.completedFuture(atOnce);
        }
        return add(new PublishedMessage(
                new AnswerDecoder().decode(answer), null, replyTo, trace, new CompletableFuture<>()));
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return add(new PublishedMessage(null, reason.code(), null, null, new CompletableFuture<>()));
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return add(new PublishedMessage(
                new AnswerDecoder().decode(answer), reason.code(), null, null, new CompletableFuture<>()));
    }

    @Override
    public List<Duration> supportedDelays() {
        return delays;
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry state) {
        DelayedMessage item = new DelayedMessage(request, delay, state, new CompletableFuture<>());
        delayed.add(item);
        return item.result();
    }

    private CompletionStage<PublishResult> add(PublishedMessage item) {
        published.add(item);
        return item.result();
    }

    @Override
    public void close() {
        sinkClosed = true;
    }
}
