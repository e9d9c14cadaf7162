package io.iocluster.lab.takeover;

import static org.awaitility.Awaitility.await;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.ClientTransport.ClientConnection;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.testkit.process.FixedWait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Makes calls at a steady rate on one thread, and reads their answers on another. A call is due at a fixed time, even if earlier ones are
 * still open. The methods are confined to the test's thread.
 */
final class CallStream implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofMinutes(4);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    /** Longer than a rebalance, and than the heartbeats that start it. */
    private static final int SETTLE_MILLIS = 8_000;
    /** A change of the nodes does not delay a call that is answered within this time. */
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The sign in {@link #answered} of a call that expired. */
    private static final int EXPIRED = -1;

    private final RequestPublisher requests;
    private final AnswerConsumer answers;
    private final String envelopeEnd;
    private final long nanosBetween;
    private final long start = System.nanoTime();
    /** Nanoseconds from the start to the answer of each call; negative if it expired, 0 if it is open. */
    private final AtomicLongArray answered;

    private final Pacer pacer;
    private final Thread receiver = new Thread(this::receive, "receiver");
    private final AtomicInteger repeatedAnswers = new AtomicInteger();
    private volatile int sent;
    private volatile String firstFailure;
    private volatile boolean closed;
    private int firstOpen;

    /**
     * What a change of the nodes did to calls.
     *
     * @param longestSeconds the longest time from when a call was due to its answer
     * @param late calls whose answer took more than a second
     */
    record Impact(int calls, double longestSeconds, int late, int expired) {}

    /** Starts to make calls with a deadline of five seconds. */
    CallStream(ClientConnection connection, String url, int perSecond) {
        requests = connection.requestPublisher();
        answers = connection.answerConsumer();
        nanosBetween = TimeUnit.SECONDS.toNanos(1) / perSecond;
        answered = new AtomicLongArray((int) LONGEST.toSeconds() * perSecond);
        String replyTo = connection.replyTo() == null ? "" : ",\"replyTo\":\"" + connection.replyTo() + "\"";
        envelopeEnd = "\",\"url\":\"" + url + "\",\"deadlineMs\":5000" + replyTo + "}";
        pacer = Pacer.of(start, Schedule.constant(perSecond, answered.length()), this::send);
        pacer.start();
        receiver.start();
    }

    private void send(long number, long due) {
        byte[] envelope = ("{\"id\":\"" + number + envelopeEnd).getBytes(StandardCharsets.UTF_8);
        requests.publish(OutgoingRequest.of(envelope));
        sent = (int) number + 1;
    }

    private void receive() {
        AnswerDecoder decoder = new AnswerDecoder();
        while (!closed) {
            try {
                answers.poll(Duration.ofMillis(100), encoded -> {
                    record(decoder.decode(encoded));
                    return true;
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Takes the first answer of a call, because a killed node may leave a duplicate. */
    private void record(Answer answer) {
        boolean expired = answer.outcome() == Outcome.EXPIRED;
        if (!expired && answer.status() != 200 && firstFailure == null) {
            firstFailure = answer.outcome() + " with status " + answer.status() + " and error " + answer.error();
        }
        if (!answered.compareAndSet(Integer.parseInt(answer.id()), 0, expired ? EXPIRED * now() : now())) {
            repeatedAnswers.incrementAndGet();
        }
    }

    private long dueNanos(int call) {
        return call * nanosBetween;
    }

    private long now() {
        return System.nanoTime() - start;
    }

    /** Returns the number of answers to calls that were already answered. */
    int repeatedAnswers() {
        return repeatedAnswers.get();
    }

    /** Returns the number of calls made so far, which is the number of the next call. */
    int sent() {
        return sent;
    }

    /** Forgets the failures so far, because a cold target may not answer the first calls in time. */
    void forgetFailures() {
        firstFailure = null;
    }

    /** Returns the first answer since the last {@link #forgetFailures} that had not status 200 and was not expired; null for none. */
    String firstFailure() {
        return firstFailure;
    }

    /** Waits until a rebalance is over that a change of the nodes started, and then like {@link #awaitNoLateCall}. */
    void awaitSettled() {
        FixedWait.millis(SETTLE_MILLIS);
        awaitNoLateCall();
    }

    /** Waits until all calls except those of the last second are answered. */
    void awaitNoLateCall() {
        await().atMost(LONGEST_WAIT).pollInterval(Duration.ofMillis(100)).until(() -> {
            skipAnswered();
            return now() - dueNanos(firstOpen) < LATE_NANOS;
        });
    }

    /** Stops making calls, and waits until all are answered. */
    void finish() {
        pacer.stop();
        pacer.awaitSent();
        await().atMost(LONGEST_WAIT).until(() -> {
            skipAnswered();
            return firstOpen == sent;
        });
    }

    private void skipAnswered() {
        while (firstOpen < sent && answered.get(firstOpen) != 0) {
            firstOpen++;
        }
    }

    /** Returns what happened to the calls of a range, all of which must be answered. */
    Impact impact(int from, int to) {
        long longest = 0;
        int late = 0;
        int expired = 0;
        for (int call = from; call < to; call++) {
            long nanos = Math.abs(answered.get(call)) - dueNanos(call);
            longest = Math.max(longest, nanos);
            late += nanos > LATE_NANOS ? 1 : 0;
            expired += answered.get(call) < 0 ? 1 : 0;
        }
        return new Impact(to - from, longest / 1e9, late, expired);
    }

    @Override
    public void close() {
        pacer.stop();
        pacer.awaitSent();
        closed = true;
        try {
            receiver.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answers.close();
        requests.close();
    }
}
