package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the loop with a subject that sleeps, and a queue that answers at once. */
class OpenLoopTest {

    private static final long LONG_AGO = System.nanoTime() - TimeUnit.HOURS.toNanos(1);

    private final BlockingQueue<PolledAnswer> answers = new LinkedBlockingQueue<>();
    private final TempDirectory folder = new TempDirectory("open-loop");
    private final RunningSubject subject = new RunningSubject(
            Subject.NODE,
            NativeProcess.start(new NativeCommand(List.of("sleep", "600"), Map.of(), folder.resolve("log"))),
            folder);
    private final OpenLoop loop = new OpenLoop(subject, new Echo(), new Answers());

    @AfterEach
    void close() {
        subject.close();
    }

    @Test
    void countsEachCallOnceAndIgnoresEarlierCalls() {
        answers.add(answer("/200", LONG_AGO));
        List<Long> numbers = new ArrayList<>();

        loop.run(Schedule.constant(1_000, 20), number -> number % 2 == 0 ? "/200" : null, (number, answer, nanos) -> {
            numbers.add(number);
            return nanos >= 0 && answer.isOk();
        });

        assertThat(numbers).containsExactly(0L, 2L, 4L, 6L, 8L, 10L, 12L, 14L, 16L, 18L);
    }

    @Test
    void measuresTheLatencyOfEachCall() {
        assertThat(loop.measure("/200", 20, 1).count()).isEqualTo(20);
    }

    @Test
    void failsIfACallDoesNotEndAsItShould() {
        assertThatThrownBy(() -> loop.measure("/503", 20, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("answered 20 of 20, 20 not as expected");
    }

    private static PolledAnswer answer(String url, long dueNanos) {
        return new PolledAnswer(
                dueNanos,
                ("{\"outcome\":\"answered\",\"status\":" + url.substring(1) + "}").getBytes(StandardCharsets.UTF_8));
    }

    /** Answers each call twice, with the status that its URL names. */
    private final class Echo implements EnvelopeWriter {

        @Override
        public void send(String url, long dueNanos) {
            answers.add(answer(url, dueNanos));
            answers.add(answer(url, dueNanos));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private final class Answers implements AnswerPoller {

        @Override
        public long count() {
            return answers.size();
        }

        @Override
        public List<PolledAnswer> poll(Duration within) {
            List<PolledAnswer> polled = new ArrayList<>();
            try {
                PolledAnswer first = answers.poll(within.toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    polled.add(first);
                    answers.drainTo(polled);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return polled;
        }

        @Override
        public void close() {}
    }
}
