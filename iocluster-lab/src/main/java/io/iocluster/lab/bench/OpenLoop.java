package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/**
 * Sends calls to a subject when they are due, whether or not earlier calls have ended, and reads the answers meanwhile. The latency of a
 * call is the time from when it was due to when its answer is read from the queue of answers. Confined to the main thread.
 */
record OpenLoop(RunningSubject running, EnvelopeWriter envelopes, AnswerPoller poller) {

    private static final Duration WARM_UP_TIMEOUT = Duration.ofMinutes(3);

    /** Longer than the deadline of a call. */
    private static final Duration LAST_ANSWER_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL = Duration.ofMillis(50);

    /** Receives the first answer of each call. */
    interface AnswerRecipient {

        /**
         * Takes an answer.
         *
         * @param number of the call, counted from 0
         * @param nanos the latency
         * @return whether the call ended as it should
         */
        boolean take(long number, PolledAnswer answer, long nanos);
    }

    /**
     * Makes calls that are not measured: one, so that the start of the subject is not measured, and further ones for JIT compilation.
     *
     * @param first the URL of the first call
     * @param quick the URL of the other calls, which the target answers at once
     */
    void warmUp(BenchQueues queues, String first, String quick, int calls) {
        envelopes.send(first, System.nanoTime());
        awaitAnswers(1);
        Backlog.enqueue(queues, List.of(quick), calls);
        awaitAnswers(calls);
    }

    private void awaitAnswers(int calls) {
        long end = System.nanoTime() + WARM_UP_TIMEOUT.toNanos();
        int read = 0;
        while (read < calls) {
            read += poller.poll(POLL).size();
            running.requireAlive();
            if (System.nanoTime() - end > 0) {
                throw running.failure("answered " + read + " of " + calls + " calls of the warm-up");
            }
        }
    }

    /**
     * Makes calls at a steady rate that are not measured.
     *
     * @param urls maps the number of a call to its URL
     */
    void warmUpAtRate(LongFunction<String> urls, int rate, int seconds) {
        run(Schedule.constant(rate, (long) rate * seconds), urls, (number, answer, nanos) -> true);
    }

    /** Makes calls at a steady rate, all of which must end with 200, and returns their latencies. */
    LatencyHistogram measure(String url, int rate, int seconds) {
        LatencyRecorder latencies = new LatencyRecorder();
        run(Schedule.constant(rate, (long) rate * seconds), number -> url, (number, answer, nanos) -> {
            latencies.record(nanos);
            return answer.isOk();
        });
        return latencies.histogram();
    }

    /**
     * Makes the calls of a schedule and waits for all answers. Ignores duplicates and the answers of earlier calls.
     *
     * @param urls maps the number of a call to its URL; null to leave it out
     * @throws IllegalStateException if an answer is missing, or a call did not end as it should
     */
    void run(Schedule schedule, LongFunction<String> urls, AnswerRecipient recipient) {
        long expected = LongStream.range(0, schedule.calls())
                .filter(number -> urls.apply(number) != null)
                .count();
        long start = System.nanoTime();
        Pacer pacer = Pacer.of(start, schedule, (number, due) -> {
            String url = urls.apply(number);
            if (url != null) {
                envelopes.send(url, due);
            }
        });
        pacer.start();
        long giveUp = start + schedule.durationNanos() + LAST_ANSWER_TIMEOUT.toNanos();
        BitSet numbers = new BitSet();
        long answered = 0;
        long failures = 0;
        while (answered < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : poller.poll(POLL)) {
                long nanos = System.nanoTime() - answer.dueNanos();
                int number = Math.toIntExact(schedule.callAt(answer.dueNanos() - start));
                if (answer.dueNanos() - start >= 0 && !numbers.get(number)) {
                    numbers.set(number);
                    answered++;
                    failures += recipient.take(number, answer, nanos) ? 0 : 1;
                }
            }
            running.requireAlive();
        }
        pacer.awaitSent();
        envelopes.flush();
        if (answered < expected || failures > 0) {
            throw running.failure("answered " + answered + " of " + expected + ", " + failures + " not as expected");
        }
    }
}
