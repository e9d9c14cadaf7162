package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.PolledAnswer;
import java.time.Duration;

/**
 * A sample of the answers.
 *
 * @param read number of answers that were read
 * @param successful number of these with status 200
 * @param firstFailure the first other answer, or null
 */
record AnswerSample(int read, int successful, String firstFailure) {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** Reads up to {@code size} answers. */
    static AnswerSample collect(AnswerPoller answers, int size) {
        int read = 0;
        int successful = 0;
        String firstFailure = null;
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (read < size && System.nanoTime() - end < 0) {
            for (PolledAnswer answer : answers.poll(Duration.ofMillis(200))) {
                read++;
                if (answer.isOk()) {
                    successful++;
                } else if (firstFailure == null) {
                    firstFailure = answer.text();
                }
            }
        }
        return new AnswerSample(read, successful, firstFailure);
    }
}
