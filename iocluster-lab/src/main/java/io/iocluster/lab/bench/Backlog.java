package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.bench.broker.PolledAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A backlog of calls that the processes of a subject work off. Counts the answers, because reading them takes CPU time from the subject.
 * Confined to the main thread.
 */
record Backlog(BenchEnvironment environment, BenchQueues queues, List<RunningSubject> running, AnswerPoller poller) {

    /** Time without a further answer after which the run fails. The start of a cold node on a busy machine takes less. */
    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);
    /** Interval of counting answers: short beside a run of seconds, and rare enough to cost little CPU. */
    private static final long COUNT_NANOS = Duration.ofMillis(20).toNanos();

    /** Number of answers to check. */
    private static final int SAMPLE = 1_000;

    /** The answers are on the broker when it is used, so only reading takes time. */
    private static final Duration SAMPLE_TIMEOUT = Duration.ofSeconds(20);

    /** Enqueues calls to the URLs in turns, and waits until the broker has confirmed them. */
    static void enqueue(BenchQueues queues, List<String> urls, int calls) {
        try (EnvelopeWriter envelopes = queues.envelopes(LoadPattern.BACKLOG)) {
            for (int call = 0; call < calls; call++) {
                envelopes.send(urls.get(call % urls.size()), System.nanoTime());
            }
            envelopes.flush();
        }
    }

    /**
     * Waits for at least {@code wanted} answers, and returns the work until they have arrived, at most 20 ms late. Fails if a process
     * ends, or if there is no progress for a minute.
     */
    WorkDone await(long wanted) {
        long last = -1;
        long progressed = System.nanoTime();
        while (true) {
            long count = poller.count();
            long now = System.nanoTime();
            if (count >= wanted) {
                return WorkDone.now(count, environment, running);
            }
            if (count > last) {
                last = count;
                progressed = now;
            } else if (now - progressed > STALL_TIMEOUT.toNanos()) {
                throw failure("made no progress for a minute at " + count + " of " + wanted);
            }
            running.forEach(RunningSubject::requireAlive);
            LockSupport.parkNanos(COUNT_NANOS);
        }
    }

    /** Returns the number of answers beyond one for each call. */
    long duplicates(long calls) {
        return poller.count() - calls;
    }

    /** Fails if there are dead letters, or if a sample of the answers contains a failure or is too small. */
    void requireSuccess(long calls) {
        int read = 0;
        String firstFailure = null;
        long end = System.nanoTime() + SAMPLE_TIMEOUT.toNanos();
        while (read < SAMPLE && System.nanoTime() - end < 0) {
            for (PolledAnswer answer : poller.poll(Duration.ofMillis(200))) {
                read++;
                firstFailure = firstFailure == null && !answer.isOk() ? answer.text() : firstFailure;
            }
        }
        long lost = queues.deadLetters();
        if (lost > 0 || firstFailure != null || read < Math.min(SAMPLE, calls)) {
            throw failure("left " + lost + " dead letters, and " + read + " answers of which the first failed one is "
                    + firstFailure);
        }
    }

    IllegalStateException failure(String problem) {
        return running.get(0).failure(problem);
    }
}
