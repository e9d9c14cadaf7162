package io.iocluster.node.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.iocluster.node.InProcessNode;
import io.iocluster.node.RunningNode;
import io.iocluster.node.door.DoorFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests that the producers in {@code examples} behave the same in every language, on Kafka and on RabbitMQ with one
 * node each. Languages without a toolchain on this machine are skipped.
 */
class ProducerExamplesIT {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Set<ProducerExample> INSTALLED = EnumSet.noneOf(ProducerExample.class);
    /** A queue that both nodes create and neither reads. */
    private static final String UNREAD_TOPIC = "iocluster.dead-letters";

    private static final Pattern PROGRAM = Pattern.compile("```(?:python|js|go)\n(.*?)```", Pattern.DOTALL);

    private static final String TIMEOUT_SECONDS = "120";

    @TempDir
    static Path folder;

    private static TargetServer target;
    private static KafkaBroker kafka;
    private static RabbitBroker rabbit;
    private static RunningNode nodeOnKafka;
    private static RunningNode nodeOnRabbit;

    @BeforeAll
    static void startFixture() throws IOException, InterruptedException {
        for (ProducerExample each : ProducerExample.values()) {
            if (each.install()) {
                INSTALLED.add(each);
            }
        }
        target = TargetServer.start();
        kafka = SharedBrokers.emptyKafka();
        rabbit = SharedBrokers.emptyRabbit();
        nodeOnKafka = startNode(
                "kafka", "{bootstrap-servers: '" + kafka.bootstrapServers() + "', create-topics: {enabled: true}}");
        nodeOnRabbit = startNode(
                "rabbit",
                "{uris: ['" + rabbit.uri()
                        + "'], declare: {enabled: true}, answers: {reply-to: ['iocluster.replies.*']}}");
        nodeOnKafka.awaitReady();
        nodeOnRabbit.awaitReady();
        makeFirstCalls();
    }

    /** Lets the nodes load their classes, because the calls of the examples end after ten seconds. */
    private static void makeFirstCalls() throws IOException, InterruptedException {
        for (ProducerExample example : INSTALLED.stream().limit(1).toList()) {
            overKafka(example, "--timeout", TIMEOUT_SECONDS, target.url("/ok")).await();
            overRabbit(example, "--timeout", TIMEOUT_SECONDS, target.url("/ok")).await();
        }
    }

    @AfterAll
    static void clear() {
        nodeOnRabbit.close();
        nodeOnKafka.close();
        target.close();
    }

    @ParameterizedTest
    @EnumSource
    void printsTheAnswerToEachCallOverKafka(ProducerExample example) throws Exception {
        assertPrintsTheAnswerToEachCall(overKafka(example, urls()).await());
    }

    @ParameterizedTest
    @EnumSource
    void printsTheAnswerToEachCallOverRabbit(ProducerExample example) throws Exception {
        assertPrintsTheAnswerToEachCall(overRabbit(example, urls()).await());
    }

    @ParameterizedTest
    @EnumSource
    void ignoresAnswersToOtherPrograms(ProducerExample example) throws Exception {
        ProgramRun.StartedProgram one = overKafka(example, twice("/status?code=201"));
        ProgramRun.StartedProgram other = overKafka(example, twice("/status?code=202"));

        assertThat(answers(one.await()))
                .extracting(ProducerExamplesIT::summary)
                .containsExactly("answered 201", "answered 201");
        assertThat(answers(other.await()))
                .extracting(ProducerExamplesIT::summary)
                .containsExactly("answered 202", "answered 202");
    }

    @ParameterizedTest
    @EnumSource
    void reportsHowManyCallsHaveNoAnswerInTime(ProducerExample example) throws Exception {
        String[] arguments = {"--requests", UNREAD_TOPIC, "--timeout", "0.5", target.url("/ok"), target.url("/ok")};
        ProgramRun.StartedProgram onKafka = overKafka(example, arguments);
        ProgramRun.StartedProgram onRabbit = overRabbit(example, arguments);

        assertFails(onKafka.await(), "without an answer: 2");
        assertFails(onRabbit.await(), "without an answer: 2");
    }

    @ParameterizedTest
    @EnumSource
    void reportsAMissingQueue(ProducerExample example) throws Exception {
        ProgramRun.StartedProgram onKafka = overKafka(example, "--answers", "no.such.answers", target.url("/ok"));
        ProgramRun.StartedProgram toNowhere = overRabbit(example, "--requests", "no.such.requests", target.url("/ok"));

        assertFails(onKafka.await(), "no.such.answers");
        assertFails(toNowhere.await(), "no.such.requests");

        ProgramRun.StartedProgram fromNowhere =
                overRabbit(example, "--requests", UNREAD_TOPIC, "--answers", "no.such.answers", target.url("/ok"));
        assertFails(fromNowhere.await(), "no.such.answers");
    }

    @ParameterizedTest
    @EnumSource
    void printsItsUsage(ProducerExample example) throws Exception {
        List<ProgramRun.StartedProgram> started = List.of(
                overKafka(example),
                overKafka(example, "--no-such-option", target.url("/ok")),
                overRabbit(example),
                overRabbit(example, "--no-such-option", target.url("/ok")));

        for (ProgramRun.StartedProgram each : started) {
            ProgramRun run = each.await();
            assertThat(run.code()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).containsIgnoringCase("usage: ");
            assertThat(run.out()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void printsTheAnswerAlthoughItsConnectionToRabbitEnded(ProducerExample example) throws Exception {
        int port = URI.create(rabbit.uri()).getPort();
        try (ConnectionRelay relay = new ConnectionRelay(port)) {
            long before = target.requestLog().requests();
            String uri = rabbit.uri().replace(":" + port, ":" + relay.port());
            ProgramRun.StartedProgram program =
                    start(example, "rabbit", "--uri", uri, "--timeout", TIMEOUT_SECONDS, target.url("/delay?ms=1000"));
            await().until(() -> target.requestLog().requests() > before);

            relay.cut();

            assertThat(answers(program.await()))
                    .extracting(ProducerExamplesIT::summary)
                    .containsExactly("answered 200");
        }
    }

    @ParameterizedTest
    @CsvSource({"PYTHON, python, 5", "NODE, typescript, 4", "GO, go, 2"})
    void everyProgramOnThePageOfTheClientRuns(ProducerExample example, String page, int programs) throws Exception {
        assumeTrue(INSTALLED.contains(example), () -> "left out: no toolchain for " + example);
        List<String> snippets = PROGRAM.matcher(Files.readString(Path.of("../docs/clients/" + page + ".md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(snippets).hasSize(programs);
        try (DoorFixture door = new DoorFixture("")) {
            for (int i = 0; i < programs; i++) {
                String program = snippets.get(i)
                        .replace("127.0.0.1:9092", kafka.bootstrapServers())
                        .replace("amqp://guest:guest@127.0.0.1:5672/", rabbit.uri())
                        .replace("http://127.0.0.1:8081", door.uri("").toString())
                        .replace("https://partner.example/match?click=42", target.url("/ok"))
                        .replaceAll(
                                "\\b(timeout=|timeoutMs: |deadlineMs\": |deadlineMs: |DeadlineMs: )[0-9.]+", "$160000");
                Path file = folder.resolve("page" + i + "." + example.extension());
                ProgramRun run = ProgramRun.start(example.run(Files.writeString(file, program)), folder)
                        .await();
                assertThat(run.code()).as(program + run.err()).isZero();
                assertThat(run.out()).containsAnyOf("200", "scheme-not-allowed");
            }
        }
    }

    /** Runs all at the same time, because some of the clients retry for seconds. */
    @Test
    void reportsThatTheBrokerIsUnreachable() throws Exception {
        String closedPort = "127.0.0.1:" + FreePorts.find(1)[0];
        List<ProgramRun.StartedProgram> started = new ArrayList<>();
        for (ProducerExample example : INSTALLED) {
            started.add(start(example, "kafka", "--bootstrap-servers", closedPort, target.url("/ok")));
            started.add(start(example, "rabbit", "--uri", "amqp://guest:guest@" + closedPort + "/", target.url("/ok")));
        }

        for (ProgramRun.StartedProgram each : started) {
            assertFails(each.await(), "");
        }
    }

    private static String[] urls() {
        return new String[] {
            "--timeout", TIMEOUT_SECONDS, target.url("/ok"), target.url("/status?code=404"), "ftp://127.0.0.1/"
        };
    }

    private static String[] twice(String path) {
        return new String[] {"--timeout", TIMEOUT_SECONDS, target.url(path), target.url(path)};
    }

    private static void assertPrintsTheAnswerToEachCall(ProgramRun run) {
        List<JsonNode> answers = answers(run);
        assertThat(answers)
                .extracting(ProducerExamplesIT::summary)
                .containsExactlyInAnyOrder("answered 200", "answered 404", "rejected 0");
        assertThat(answers).extracting(answer -> answer.path("id").asString("")).doesNotHaveDuplicates();
    }

    /** Checks that the program fails with a message and without a stack trace. */
    private static void assertFails(ProgramRun run, String message) {
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).isNotBlank().contains(message);
        assertThat(run.err()).doesNotContain("Traceback", "goroutine ", "    at ");
        assertThat(run.out()).isEmpty();
    }

    private static List<JsonNode> answers(ProgramRun run) {
        assertThat(run.code()).as(run.err()).isZero();
        return run.out().lines().map(JSON::readTree).toList();
    }

    private static String summary(JsonNode answer) {
        return answer.path("outcome").asString("") + " " + answer.path("status").asInt(0);
    }

    private static ProgramRun.StartedProgram overKafka(ProducerExample example, String... arguments)
            throws IOException {
        return start(example, "kafka", with(arguments, "--bootstrap-servers", kafka.bootstrapServers()));
    }

    private static ProgramRun.StartedProgram overRabbit(ProducerExample example, String... arguments)
            throws IOException {
        return start(example, "rabbit", with(arguments, "--uri", rabbit.uri()));
    }

    private static String[] with(String[] arguments, String option, String value) {
        List<String> all = new ArrayList<>(List.of(option, value));
        all.addAll(List.of(arguments));
        return all.toArray(String[]::new);
    }

    private static ProgramRun.StartedProgram start(ProducerExample example, String queue, String... arguments)
            throws IOException {
        assumeTrue(INSTALLED.contains(example), () -> "left out: no toolchain for the examples of " + example);
        List<String> commandLine = new ArrayList<>(example.program(queue));
        commandLine.addAll(List.of(arguments));
        return ProgramRun.start(commandLine, folder);
    }

    private static RunningNode startNode(String transport, String settings) throws IOException {
        Path config = Files.writeString(
                folder.resolve(transport + ".yaml"), """
                node: {id: example}
                egress: {ports: [%d], allow-networks: [127.0.0.0/8]}
                admin: {port: 0}
                transport: %s
                %s: %s
                """.formatted(target.port(), transport, transport, settings));
        return InProcessNode.start(Map.of(), config);
    }
}
