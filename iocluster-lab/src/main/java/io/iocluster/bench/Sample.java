package io.iocluster.bench;

import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.SeenAnswer;
import java.time.Duration;

/**
 * Some answers.
 *
 * @param good how many of those read were answered with 200
 * @param bad one that was not, or null
 */
record Sample(int read, int good, String bad) {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Reads so many, if there are. */
    static Sample of(Answers answers, int size) {
        int read = 0;
        int good = 0;
        String bad = null;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (read < size && System.nanoTime() - end < 0) {
            for (SeenAnswer answer : answers.poll(Duration.ofMillis(200))) {
                read++;
                if (answer.isGood()) {
                    good++;
                } else if (bad == null) {
                    bad = answer.text();
                }
            }
        }
        return new Sample(read, good, bad);
    }
}
