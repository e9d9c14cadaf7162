package io.iocluster.client;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.SentStatus;
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
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends envelopes and waits for their answers, both as bytes: for programs that carry envelopes which they did not make, and what
 * {@link IoClusterClient} rests on. A call ends exactly once: by its answer, by what the broker says, at its deadline, or when this is
 * closed. Safe for use by several threads.
 */
public final class EnvelopeClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EnvelopeClient.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long CLOSE_WITHIN_MILLIS = 5_000;
    private static final byte[] CONFIRMED = {};

    private final RequestPublisher queue;
    private final AnswerConsumer feed;
    private final Bulkhead room;
    private final ClientEvents events;
    private final Executor executor;
    private final AnswerDecoder decoder = new AnswerDecoder();
    private final Map<String, OutstandingCall> awaited = new ConcurrentHashMap<>();
    private final Set<OutstandingCall> enqueuing = ConcurrentHashMap.newKeySet();
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, EnvelopeClient::timerThread);
    private final Thread reader = new Thread(this::read, "iocluster-client-answers");
    private volatile boolean closed;

    /**
     * Begins to read the answers; closes queue and feed with itself.
     *
     * @param feed null where nobody will {@link #call}
     * @param mostOutstanding calls and envelopes that are not ended, 1 or more
     * @param executor completes the stages
     */
    public EnvelopeClient(
            RequestPublisher queue,
            AnswerConsumer feed,
            int mostOutstanding,
            ClientFullPolicy whenFull,
            Executor executor,
            ClientEvents events) {
        this.queue = queue;
        this.feed = feed;
        this.room = new Bulkhead(mostOutstanding, whenFull);
        this.executor = executor;
        this.events = events;
        timer.setRemoveOnCancelPolicy(true);
        reader.setDaemon(true);
        if (feed != null) {
            reader.start();
        }
    }

    private static Thread timerThread(Runnable task) {
        Thread made = new Thread(task, "iocluster-client-timer");
        made.setDaemon(true);
        return made;
    }

    /**
     * Sends an envelope and waits for the answer with its id.
     *
     * @param id the envelope's; no other call with it may be outstanding
     * @param within how long to wait, from now on
     * @param request asked for once, when there is a place, and told what is left of that time
     * @return completes with the answer's bytes, or exceptionally with an {@link IoClusterException}, or an {@link
     *     IllegalArgumentException} where the id is taken, or with what the request failed with
     */
    public CompletionStage<byte[]> call(String id, Duration within, Function<Duration, OutgoingRequest> request) {
        OutstandingCall call = new OutstandingCall(id, within);
        IoClusterException refusal = refusal(id, within);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        if (awaited.putIfAbsent(id, call) != null) {
            room.release();
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("a call with the id " + id + " is outstanding already"));
        }
        begin(call, request);
        return call;
    }

    /**
     * Puts an envelope on the queue.
     *
     * @param id for the exception; may be null
     * @param within how long the broker may take to confirm
     * @return completes when the broker holds it, or exceptionally with an {@link IoClusterException}
     */
    public CompletionStage<Void> enqueue(String id, Duration within, OutgoingRequest request) {
        OutstandingCall envelope = new OutstandingCall(id, within);
        IoClusterException refusal = refusal(id, within);
        if (refusal != null) {
            return CompletableFuture.failedFuture(refusal);
        }
        enqueuing.add(envelope);
        begin(envelope, left -> request);
        return envelope.thenAccept(confirmed -> {});
    }

    /** Takes a place, or says why there is none. */
    private IoClusterException refusal(String id, Duration within) {
        IoClusterException refusal = null;
        if (closed) {
            refusal = new ClientClosedException(id, SentStatus.NO);
        } else {
            try {
                room.acquire(id, within);
            } catch (ClientFullException | CallTimeoutException full) {
                refusal = full;
            }
        }
        if (refusal != null) {
            events.failed(refusal);
        }
        return refusal;
    }

    private void begin(OutstandingCall one, Function<Duration, OutgoingRequest> request) {
        events.started();
        try {
            one.setTimeoutTask(timer.schedule(
                    () -> fail(one, one.timeoutException()), one.remainingNanos(), TimeUnit.NANOSECONDS));
        } catch (RejectedExecutionException closing) {
            fail(one, one.closedException());
        }
        if (closed) {
            fail(one, one.closedException());
            return;
        }
        try {
            CompletableFuture<PublishResult> sending =
                    queue.publish(request.apply(Duration.ofNanos(one.remainingNanos())));
            one.setPublish(sending);
            sending.whenComplete((result, bug) -> confirmed(one, result, bug));
        } catch (RuntimeException unsendable) {
            if (end(one)) {
                complete(() -> one.completeExceptionally(unsendable));
            }
        }
    }

    private void confirmed(OutstandingCall one, PublishResult result, Throwable bug) {
        if (!(result instanceof PublishResult.Confirmed)) {
            fail(one, NotEnqueuedException.of(one.id(), result, bug));
        } else if (enqueuing.contains(one)) {
            if (end(one)) {
                events.enqueued(one.elapsed());
                complete(() -> one.complete(CONFIRMED));
            }
        } else {
            one.markEnqueued();
        }
    }

    private void fail(OutstandingCall one, IoClusterException failure) {
        if (end(one)) {
            events.failed(failure);
            complete(() -> one.completeExceptionally(failure));
        }
    }

    /** Whether this was the one end of it. */
    private boolean end(OutstandingCall one) {
        if (!one.claim()) {
            return false;
        }
        if (!enqueuing.remove(one)) {
            awaited.remove(one.id(), one);
        }
        room.release();
        return true;
    }

    private void complete(Runnable completion) {
        try {
            executor.execute(completion);
        } catch (RejectedExecutionException shutDown) {
            // Nobody is left who would: better here than never.
            completion.run();
        }
    }

    private void read() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));
        while (!closed) {
            try {
                feed.poll(POLL, this::take);
                problem.clear();
                backoff.reset();
            } catch (IOException | RuntimeException broken) {
                if (!closed) {
                    problem.raise("The answers cannot be read", broken);
                    backoff.sleepUnless(() -> closed);
                }
            }
        }
        feed.close();
    }

    private boolean take(byte[] answer) {
        String id = decoder.readId(answer);
        OutstandingCall call = id == null ? null : awaited.get(id);
        if (call == null || !end(call)) {
            return false;
        }
        events.answered(call.elapsed());
        complete(() -> call.complete(answer));
        return true;
    }

    /** How many calls and envelopes are not ended. */
    public int outstanding() {
        return room.inUse();
    }

    /** Ends what is outstanding with a {@link ClientClosedException}. Blocks for some seconds at most. */
    @Override
    public void close() {
        closed = true;
        for (OutstandingCall one : List.copyOf(awaited.values())) {
            fail(one, one.closedException());
        }
        for (OutstandingCall one : List.copyOf(enqueuing)) {
            fail(one, one.closedException());
        }
        timer.shutdownNow();
        if (feed != null) {
            try {
                reader.join(CLOSE_WITHIN_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        queue.close();
    }
}
