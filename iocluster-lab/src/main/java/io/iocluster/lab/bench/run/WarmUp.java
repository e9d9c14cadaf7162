package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.EnvelopeWriter;
import java.time.Duration;
import java.util.function.LongFunction;

/**
 * Calls that go through before the clock starts: one, so that no startup is in the figures, and those by which the JVM
 * compiles what it will.
 */
public record WarmUp(RunningSubject running, AnswerPoller seen) {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * Returns when all of them are answered.
     *
     * @param first the URL of the first one, which goes by {@code envelopes}
     * @param quick the URL of the others, which is answered at once
     */
    public void run(BenchQueues queues, EnvelopeWriter envelopes, String first, String quick, int calls) {
        envelopes.send(first, System.nanoTime());
        awaitAnswers(1);
        BacklogRun.enqueue(queues, quick, calls);
        awaitAnswers(calls);
    }

    /**
     * Then so many seconds of calls at a steady rate; returns when all of them are answered.
     *
     * @param urls by the number of the call
     */
    public void runAtRate(EnvelopeWriter envelopes, LongFunction<String> urls, int rate, int seconds) {
        int calls = rate * seconds;
        Pacer pacer =
                new Pacer(System.nanoTime(), rate, calls, (number, due) -> envelopes.send(urls.apply(number), due));
        pacer.start();
        awaitAnswers(calls);
        pacer.awaitSent();
    }

    private void awaitAnswers(int calls) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int read = 0;
        while (read < calls) {
            read += seen.poll(Duration.ofMillis(100)).size();
            running.requireAlive();
            if (System.nanoTime() - end > 0) {
                throw running.failure("answered " + read + " of " + calls + " before what is measured");
            }
        }
    }
}
