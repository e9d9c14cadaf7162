package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.time.Duration;
import java.util.function.LongFunction;

/**
 * Makes calls before the measurement: one, so that the start of the subject is not measured, and further ones for JIT
 * compilation.
 */
record WarmUp(RunningSubject running, AnswerPoller poller) {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);

    /**
     * Makes the calls and waits for all answers.
     *
     * @param first the URL of the first call, which {@code envelopes} sends
     * @param quick the URL of the other calls, which the target answers at once
     */
    public void run(BenchQueues queues, EnvelopeWriter envelopes, String first, String quick, int calls) {
        envelopes.send(first, System.nanoTime());
        awaitAnswers(1);
        Backlog.enqueue(queues, quick, calls);
        awaitAnswers(calls);
    }

    /**
     * Makes calls at a steady rate for some seconds and waits for all answers.
     *
     * @param urls maps the number of a call to its URL
     */
    public void runAtRate(EnvelopeWriter envelopes, LongFunction<String> urls, int rate, int seconds) {
        int calls = rate * seconds;
        Pacer pacer = Pacer.of(
                System.nanoTime(),
                Schedule.constant(rate, calls),
                (number, due) -> envelopes.send(urls.apply(number), due));
        pacer.start();
        awaitAnswers(calls);
        pacer.awaitSent();
    }

    private void awaitAnswers(int calls) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        int read = 0;
        while (read < calls) {
            read += poller.poll(Duration.ofMillis(100)).size();
            running.requireAlive();
            if (System.nanoTime() - end > 0) {
                throw running.failure("answered " + read + " of " + calls + " calls of the warm-up");
            }
        }
    }
}
