package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.ColdNode;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the commands on RabbitMQ, together with a node. */
class RabbitCommandsIT {

    private static RabbitBroker broker;
    private static RabbitNodeFixture nodes;
    private static String config;

    @BeforeAll
    static void startFixture() {
        broker = SharedBrokers.emptyRabbit();
        nodes = new RabbitNodeFixture(broker);
        nodes.startInProcess("node-1", ColdNode.LONG_TIMEOUTS);
        config = nodes.configure("client", ColdNode.LONG_TIMEOUTS).toString();
        await().atMost(RabbitNodeFixture.LONG)
                .until(() -> run(Map.of("IOCLUSTER_RABBIT_DECLARE_ENABLED", "false"), "check", "--connect")
                                .code()
                        == 0);
    }

    @AfterAll
    static void clear() {
        nodes.close();
    }

    @Test
    void checkHidesThePasswordAndSucceeds() {
        CommandRun check = run(Map.of(), "check", "--connect");

        assertThat(check.err().lines().toList())
                .containsExactly(
                        "rabbit: reached 127.0.0.1:" + URI.create(broker.uri()).getPort(),
                        "rabbit: queue " + nodes.requests + ": exists",
                        "rabbit: queue " + nodes.answers + ": exists",
                        "rabbit: queue " + nodes.deadLetters + ": exists",
                        "rabbit: exchange " + nodes.requests + ".nodes: exists");
        assertThat(check.code()).isZero();
        assertThat(check.out()).contains("- amqp://guest:***@127.0.0.1:").doesNotContain("guest:guest");
    }

    @Test
    void checkReportsEachMissingQueueThatIsNotDeclared() {
        Map<String, String> elsewhere = Map.of(
                "IOCLUSTER_RABBIT_DECLARE_ENABLED", "false",
                "IOCLUSTER_RABBIT_ANSWERS_EXCHANGE", "gone",
                "IOCLUSTER_RABBIT_DEAD_LETTERS_QUEUE", "lost");

        CommandRun check = run(elsewhere, "check", "--connect");

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.err().lines())
                .containsExactly("rabbit: exchange gone: does not exist", "rabbit: queue lost: does not exist");
    }

    @Test
    void checkReportsThatTheBrokerIsUnreachable() {
        String unreachable = "127.0.0.1:" + FreePorts.find(1)[0];

        CommandRun check = run(Map.of("IOCLUSTER_RABBIT_URIS", "amqp://u:hush@" + unreachable), "check", "--connect");

        assertThat(check.code()).isEqualTo(1);
        assertThat(check.err()).startsWith("rabbit: " + unreachable + ": ").doesNotContain("hush");
        assertThat(check.err().lines()).hasSize(1);
    }

    @Test
    void anErrorHasItsPathAndNoPassword() {
        CommandRun check = run(Map.of("IOCLUSTER_RABBIT_URIS", "http://u:hush@h"), "check");

        assertThat(check.code()).isEqualTo(2);
        assertThat(check.err())
                .contains("rabbit.uris[0] must start with amqp or amqps: http")
                .doesNotContain("hush");
    }

    @Test
    void sendPrintsTheAnswerToEachLineAndLeavesOtherAnswers() {
        broker.publish(nodes.answers, List.of("{\"id\":\"of another\"}".getBytes(StandardCharsets.UTF_8)));
        String input = String.join(
                "\n",
                "{\"id\":\"good\",\"url\":\"" + nodes.target.url("/ok?id=good") + "\"}",
                "{\"id\":\"forbidden\",\"url\":\"ftp://127.0.0.1/\"}",
                "nonsense",
                "{\"url\":\"" + nodes.target.url("/status?code=503&id=nameless") + "\",\"retry\":{\"maxAttempts\":1}}");

        CommandRun send = CommandRun.of(input, Map.of(), "send", "--wait", "--config", config);

        assertThat(send.code()).as(send.err()).isEqualTo(1);
        assertThat(send.err().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("line 3: not JSON"),
                        line -> assertThat(line).isEqualTo("sent 3, not sent 1, without an answer 0"));
        AnswerDecoder decoder = new AnswerDecoder();
        List<Answer> answers = send.out()
                .lines()
                .map(line -> decoder.decode(line.getBytes(StandardCharsets.UTF_8)))
                .toList();
        assertThat(answers)
                .extracting(Answer::outcome)
                .containsExactlyInAnyOrder(Outcome.ANSWERED, Outcome.REJECTED, Outcome.ANSWERED);
        assertThat(answers).extracting(Answer::status).containsExactlyInAnyOrder(200, 0, 503);
        await().atMost(RabbitNodeFixture.LONG).until(() -> broker.readyMessages(nodes.answers) == 1);
        assertThat(broker.consume(nodes.answers).get(0).getBody()).asString().contains("of another");
    }

    @Test
    void sendReportsAMissingQueue() {
        CommandRun send = CommandRun.of(
                "{\"id\":\"1\"}", Map.of("IOCLUSTER_RABBIT_REQUESTS_QUEUE", "gone"), "send", "--config", config);

        assertThat(send.code()).isEqualTo(1);
        assertThat(send.err())
                .isEqualTo("line 1: not enqueued: no queue accepted the message: queue gone: 312 NO_ROUTE\n"
                        + "sent 0, not sent 1\n");
    }

    @Test
    void answersReportsAMissingQueue() {
        CommandRun answers = run(Map.of("IOCLUSTER_RABBIT_ANSWERS_ROUTING_KEY", "gone"), "answers");

        assertThat(answers.code()).isEqualTo(1);
        assertThat(answers.err()).contains("no queue 'gone'");
    }

    private static CommandRun run(Map<String, String> environment, String... command) {
        String[] arguments = java.util.stream.Stream.concat(
                        java.util.Arrays.stream(command), java.util.stream.Stream.of("--config", config))
                .toArray(String[]::new);
        return CommandRun.of("", environment, arguments);
    }
}
