package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.thread.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SendAndAnswersCommandsIT {

    private static KafkaNodeFixture fixture;
    private static String config;

    @BeforeAll
    static void startFixture() {
        fixture = new KafkaNodeFixture(2, Map.of());
        fixture.startInProcess("node-1", "none", ColdNode.LONG_TIMEOUTS).awaitReady();
        config = fixture.configure("client", "none", ColdNode.LONG_TIMEOUTS).toString();
    }

    @AfterAll
    static void clear() {
        fixture.close();
    }

    @Test
    void sendPrintsTheAnswerToEachLineAndCountsInvalidOnes() {
        String input = String.join(
                "\n",
                "{\"id\":\"good\",\"url\":\"" + fixture.target.url("/ok?id=good") + "\"}",
                "{\"id\":\"forbidden\",\"url\":\"ftp://127.0.0.1/\"}",
                "nonsense",
                "{\"url\":\"" + fixture.target.url("/status?code=503&id=nameless")
                        + "\",\"retry\":{\"maxAttempts\":1}}",
                "{\"id\":\"misspelt\",\"reply\":\"sometimes\",\"url\":\"" + fixture.target.url("/ok") + "\"}");

        CommandRun send = CommandRun.of(input, Map.of(), "send", "--wait", "--config", config);

        assertThat(send.code()).as(send.err()).isEqualTo(1);
        assertThat(send.err().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("line 3: not JSON"),
                        line -> assertThat(line).isEqualTo("sent 4, not sent 1, without an answer 0"));
        List<Answer> answers = answers(send.out());
        assertThat(answers)
                .extracting(Answer::outcome)
                .containsExactlyInAnyOrder(Outcome.ANSWERED, Outcome.REJECTED, Outcome.ANSWERED, Outcome.REJECTED);
        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 0, 503, 0);
        assertThat(answers)
                .extracting(Answer::id)
                .contains("good", "forbidden", "misspelt")
                .doesNotContainNull();
        assertThat(fixture.target.requestLog().count("good")).isEqualTo(1);
    }

    @Test
    void sendReportsAMissingTopic() {
        Map<String, String> elsewhere = Map.of("IOCLUSTER_KAFKA_REQUESTS_TOPICS", "gone");

        CommandRun send = CommandRun.of("{\"id\":\"1\"}", elsewhere, "send", "--config", config);

        assertThat(send.code()).isEqualTo(1);
        assertThat(send.err()).isEqualTo("line 1: not enqueued: the topic gone does not exist\nsent 0, not sent 1\n");
    }

    @Test
    void answersPrintsUntilItsReaderClosesThePipe() {
        Pipe pipe = new Pipe();
        Terminal terminal = new Terminal(
                InputStream.nullInputStream(),
                new PrintStream(pipe, false, StandardCharsets.UTF_8),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false);
        CompletableFuture<Integer> following = CompletableFuture.supplyAsync(() -> Commands.run(
                terminal, new ConfiguredBrokerAccess(Instant.now(), Platform.system()), "answers", "--config", config));

        // The command does not report when it has started to consume.
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            sendOne();
            return !pipe.text().isEmpty();
        });
        pipe.readerGone = true;

        assertThat(following.orTimeout(1, TimeUnit.MINUTES).join()).isZero();
        assertThat(answers(pipe.text()))
                .isNotEmpty()
                .allMatch(answer -> answer.id().equals("followed"));
    }

    private static void sendOne() {
        String envelope = "{\"id\":\"followed\",\"url\":\"" + fixture.target.url("/ok?id=followed") + "\"}";
        assertThat(CommandRun.of(envelope, Map.of(), "send", "--wait", "--config", config)
                        .code())
                .isZero();
    }

    private static List<Answer> answers(String lines) {
        AnswerDecoder decoder = new AnswerDecoder();
        return lines.lines()
                .map(line -> decoder.decode(line.getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    /** An output stream like a pipe: writing fails after the reader has closed it. */
    private static final class Pipe extends OutputStream {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private volatile boolean readerGone;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            flush();
            taken.write(bytes, from, length);
        }

        @Override
        public void flush() throws IOException {
            if (readerGone) {
                throw new IOException("broken pipe");
            }
        }

        String text() {
            return taken.toString(StandardCharsets.UTF_8);
        }
    }
}
