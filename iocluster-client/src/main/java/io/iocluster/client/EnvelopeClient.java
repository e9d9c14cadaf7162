package io.iocluster.client;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.SentStatus;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends envelopes and waits for their answers, both as bytes. {@link IoClusterClient} is built on it; programs that
 * forward envelopes use it directly. A call ends exactly once: by its answer, a failed publish, its deadline, or {@link
 * #close}. Thread-safe.
 */
public final class EnvelopeClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EnvelopeClient.class);
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(200);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final byte[] CONFIRMED = {};

    private final RequestPublisher publisher;
    private final AnswerConsumer consumer;
    private final Bulkhead bulkhead;
    private final ClientEvents events;
    private final Executor executor;
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, OutstandingCall> callsById = new ConcurrentHashMap<>();
    private final Set<OutstandingCall> enqueuing = ConcurrentHashMap.newKeySet();
    private final ProblemLog problem;
    private final Platform platform;
    private final ScheduledExecutorService timer;
    private final Backoff backoff;
    private final LoopThread reader;
    private volatile boolean closed;

    /**
     * Starts to read answers. {@link #close} closes publisher and consumer.
     *
     * @param consumer null if {@link #call} is not used
     * @param maxOutstanding maximum number of calls and unconfirmed envelopes, 1 or more
     * @param executor completes the stages
     */
    public EnvelopeClient(
            RequestPublisher publisher,
            AnswerConsumer consumer,
            int maxOutstanding,
            ClientFullPolicy whenFull,
            Executor executor,
            ClientEvents events) {
        this(publisher, consumer, maxOutstanding, whenFull, executor, events, Platform.system());
    }

    /**
     * Starts to read answers on a platform. {@link #close} closes publisher and consumer.
     *
     * @param consumer null if {@link #call} is not used
     * @param maxOutstanding maximum number of calls and unconfirmed envelopes, 1 or more
     * @param executor completes the stages
     * @param platform the clocks, threads and timers of the client
     */
    public EnvelopeClient(
            RequestPublisher publisher,
            AnswerConsumer consumer,
            int maxOutstanding,
            ClientFullPolicy whenFull,
            Executor executor,
            ClientEvents events,
            Platform platform) {
        this.platform = platform;
        this.timer = platform.newScheduler("iocluster-client-timer");
        this.backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), platform.random());
        this.reader = platform.newLoop("iocluster-client-answers", this::read);
        this.publisher = publisher;
        this.problem = ProblemLog.ofBroker(LOG, null, publisher.brokerAddresses(), platform);
        this.consumer = consumer;
        this.bulkhead = new Bulkhead(maxOutstanding, whenFull);
        this.executor = executor;
        this.events = events;
        if (consumer != null) {
            reader.start();
        }
    }

    /**
     * Sends an envelope and waits for the answer with its id.
     *
     * @param id the envelope's id; no other outstanding call may have it
     * @param timeout how long to wait, from now
     * @param request called once, when there is a permit, with the rest of the timeout
     * @return completes with the answer's bytes, or exceptionally with an {@link IoClusterException}, an {@link
     *     IllegalArgumentException} if the id is in use, or the exception of {@code request}
     */
    public CompletionStage<byte[]> call(String id, Duration timeout, Function<Duration, OutgoingRequest> request) {
        return call(id, timeout, request, result -> {});
    }

    /**
     * Sends an envelope and waits for the answer, like {@link #call(String, Duration, Function)}.
     *
     * @param published receives the broker's result of the publish, before the stage completes because of it. Receives nothing if the
     *     call ends earlier. Must not throw
     */
    public CompletionStage<byte[]> call(
            String id,
            Duration timeout,
            Function<Duration, OutgoingRequest> request,
            Consumer<PublishResult> published) {
        OutstandingCall call = new OutstandingCall(id, timeout, platform);
        IoClusterException refusal = acquirePermit(id, timeout);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        if (callsById.putIfAbsent(id, call) != null) {
            bulkhead.release();
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("a call with the id " + id + " is already outstanding"));
        }
        start(call, request, published);
        return call;
    }

    /**
     * Puts an envelope on the queue.
     *
     * @param id for exceptions; may be null
     * @param timeout how long to wait for the broker's confirmation
     * @return completes when the broker has confirmed, or exceptionally with an {@link IoClusterException}
     */
    public CompletionStage<Void> enqueue(String id, Duration timeout, OutgoingRequest request) {
        OutstandingCall envelope = new OutstandingCall(id, timeout, platform);
        IoClusterException refusal = acquirePermit(id, timeout);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        enqueuing.add(envelope);
        start(envelope, left -> request, result -> {});
        return envelope.thenAccept(confirmed -> {});
    }

    /** Acquires a permit; returns null if it did, otherwise the reason why not. */
    private IoClusterException acquirePermit(String id, Duration timeout) {
        IoClusterException refusal = null;
        if (closed) {
            refusal = new ClientClosedException(id, SentStatus.NO);
        } else {
            try {
                bulkhead.acquire(id, timeout);
            } catch (ClientFullException | CallTimeoutException full) {
                refusal = full;
            }
        }
        if (refusal != null) {
            events.failed(refusal);
        }
        return refusal;
    }

    private void start(
            OutstandingCall call, Function<Duration, OutgoingRequest> request, Consumer<PublishResult> published) {
        events.started();
        try {
            call.setTimeoutTask(timer.schedule(
                    () -> fail(call, call.timeoutException(publisher.brokerAddresses())),
                    call.remainingNanos(),
                    TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException timerShutDown) {
            fail(call, call.closedException());
        }
        if (closed) {
            fail(call, call.closedException());
            return;
        }
        try {
            CompletableFuture<PublishResult> publish =
                    publisher.publish(request.apply(Duration.ofNanos(call.remainingNanos())));
            call.setPublish(publish);
            publish.whenComplete((result, bug) -> {
                // Null if the call has ended, which cancels the publish.
                if (result != null) {
                    published.accept(result);
                }
                onPublished(call, result, bug);
            });
        } catch (RuntimeException failure) {
            if (end(call)) {
                execute(() -> call.completeExceptionally(failure));
            }
        }
    }

    private void onPublished(OutstandingCall call, PublishResult result, Throwable bug) {
        if (!(result instanceof PublishResult.Confirmed)) {
            fail(call, NotEnqueuedException.of(call.id(), result, bug));
        } else if (enqueuing.contains(call)) {
            if (end(call)) {
                events.enqueued(call.elapsed());
                execute(() -> call.complete(CONFIRMED));
            }
        } else {
            call.markEnqueued();
        }
    }

    private void fail(OutstandingCall call, IoClusterException failure) {
        if (end(call)) {
            events.failed(failure);
            execute(() -> call.completeExceptionally(failure));
        }
    }

    /** Removes the call and releases its permit. Returns true if this caller now owns the call and must complete it. */
    private boolean end(OutstandingCall call) {
        if (!call.claim()) {
            return false;
        }
        if (!enqueuing.remove(call)) {
            callsById.remove(call.id(), call);
        }
        bulkhead.release();
        return true;
    }

    private void execute(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException shutDown) {
            // Without an executor the stage would never complete.
            completion.run();
        }
    }

    /** Reads once. Returns the wait before the next time. */
    private long read() {
        if (closed) {
            consumer.close();
            return LoopThread.Task.END;
        }
        try {
            consumer.poll(POLL_TIMEOUT, this::complete);
            problem.clear();
            backoff.reset();
        } catch (IOException | RuntimeException | Error broken) {
            if (!closed) {
                problem.raise("Reading answers failed", broken);
                return backoff.nextDelayNanos();
            }
        }
        return 0;
    }

    private boolean complete(byte[] answer) {
        String id = decoder.readId(answer);
        OutstandingCall call = id == null ? null : callsById.get(id);
        if (call == null || !end(call)) {
            return false;
        }
        events.answered(call.elapsed());
        execute(() -> call.complete(answer));
        return true;
    }

    /** Returns the number of outstanding calls and unconfirmed envelopes. */
    public int outstanding() {
        return bulkhead.inUse();
    }

    /**
     * Fails all outstanding calls with a {@link ClientClosedException} and disconnects. Blocks for a few seconds at
     * most.
     */
    @Override
    public void close() {
        closed = true;
        for (OutstandingCall call : List.copyOf(callsById.values())) {
            fail(call, call.closedException());
        }
        for (OutstandingCall call : List.copyOf(enqueuing)) {
            fail(call, call.closedException());
        }
        timer.shutdownNow();
        if (consumer != null) {
            if (!reader.join(CLOSE_TIMEOUT)) {
                LOG.warn("Reading answers did not stop in time timeout={}s", CLOSE_TIMEOUT.toSeconds());
            }
        }
        publisher.close();
    }
}
