package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.PolledAnswer;
import java.time.Duration;

/**
 * Some answers.
 *
 * @param good how many of those read were answered with 200
 * @param bad one that was not, or null
 */
record AnswerSample(int read, int successful, String firstFailure) {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Reads so many, if there are. */
    static AnswerSample collect(AnswerPoller answers, int size) {
        int read = 0;
        int good = 0;
        String bad = null;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (read < size && System.nanoTime() - end < 0) {
            for (PolledAnswer answer : answers.poll(Duration.ofMillis(200))) {
                read++;
                if (answer.isOk()) {
                    good++;
                } else if (bad == null) {
                    bad = answer.text();
                }
            }
        }
        return new AnswerSample(read, good, bad);
    }
}
