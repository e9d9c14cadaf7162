package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.process.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AdminCommandsTest {

    private static final String TOKEN = "s3cr3t-token";
    private static final Map<String, String> WITH_TOKEN = Map.of("IOCLUSTER_ADMIN_TOKEN", TOKEN);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final AdminFixture fixture = new AdminFixture("node: {id: node-1}\nadmin: {port: 0, token: " + TOKEN + "}\n"
            + "destinations: [{match: [127.0.0.1], name: partner}]");

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void statusPrintsTheNode() {
        CommandRun run = run("status");

        assertThat(run.code()).as(run.err()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).startsWith("NODE").contains("STATE", "IN FLIGHT", "LAG");
        assertThat(lines.get(1)).startsWith("node-1").contains("running", "memory");
    }

    @Test
    void statusExitsWithThreeIfAProblemIsBad() {
        fixture.broker.goOffline();

        await().untilAsserted(() -> {
            CommandRun run = run("status");
            assertThat(run.code()).isEqualTo(3);
            assertThat(run.out()).contains("node-1: bad: broker-unreachable since ");
        });
    }

    @Test
    void printsOneLineOfJsonForEachNode() {
        CommandRun run =
                CommandRun.of("", WITH_TOKEN, "status", "--json", "--admin", fixture.uri("") + "," + fixture.uri(""));

        assertThat(run.out().lines())
                .hasSize(2)
                .allSatisfy(
                        line -> assertThat(json(line).at("/node").asString()).isEqualTo("node-1"));
    }

    @Test
    void failuresAndDestinationsPrintWhatFailed() {
        fixture.fail("call-1");

        CommandRun failures = run("failures");
        CommandRun destinations = run("destinations");

        assertThat(failures.code()).as(failures.err()).isZero();
        assertThat(failures.out()).contains("partner", "connect", "id=call-1");
        assertThat(json(run("failures", "--json").out()).path("groups")).hasSize(1);
        assertThat(run("failures", "--calls", "0").out()).doesNotContain("id=call-1");
        assertThat(run("failures", "--calls", "-1"))
                .returns(2, CommandRun::code)
                .extracting(CommandRun::err, STRING)
                .contains("'-1' is not a whole number from 0");
        assertThat(destinations.out()).contains("partner", "closed", " ago");
    }

    @Test
    void printsTheAppsThatSendCalls() {
        fixture.fail("call-1");

        CommandRun apps = run("apps");

        assertThat(apps.code()).as(apps.err()).isZero();
        assertThat(apps.out()).contains("APP", "SHARE", "OVER QUOTA", "unknown", "other", "unlimited");
        assertThat(json(run("apps", "--json").out()).path("apps")).hasSize(2);
    }

    @Test
    void statusOfTheClusterCountsTheNodeAlone() {
        await().untilAsserted(() -> assertThat(run("status", "--cluster").out())
                .startsWith("1 live node")
                .doesNotContain("nodes"));
    }

    @Test
    void listsAtMostAsManyEntriesAsAskedForAndSaysHowManyFollow() {
        assertThat(run("apps", "--limit", "1").out()).contains("1 more; see --find and --limit");
        assertThat(run("apps", "--find", "unk").out()).contains("unknown").doesNotContain("other", "more;");
        assertThat(run("destinations", "--find", "partn").out())
                .contains("partner")
                .doesNotContain("other");
        assertThat(run("destinations", "--limit", "1001").err())
                .contains("limit must be a number from 1 to 1000: 1001");
    }

    @Test
    void pausesLimitsAndResetsOneDestination() {
        assertThat(run("destination", "pause", "partner", "--for", "10m").out()).contains("partner paused until 2");
        assertThat(run("destinations").out()).contains("paused until 2");
        assertThat(run("destination", "limit", "partner", "--max-in-flight", "3", "--rate", "5/s")
                        .out())
                .contains("paused until ", "limited to 3 in flight 5/s until 2");
        assertThat(run("destination", "resume", "partner").out()).contains("partner limited to 3 in flight");
        assertThat(run("destination", "unlimit", "partner").out()).contains("partner running, breaker closed");
        assertThat(run("destination", "reset-breaker", "partner").code()).isZero();
    }

    @Test
    void changesTheLevelOfALoggerForATime() {
        assertThat(run("log-level").out()).contains("LOGGER").doesNotContain("debug");
        assertThat(run("log-level", "io.iocluster.node", "debug", "--for", "10m")
                        .out())
                .contains("io.iocluster.node is debug until 2");
        assertThat(run("log-level").out()).contains("io.iocluster.node", "debug", "20");
        assertThat(run("log-level", "io.iocluster.node", "default").out()).doesNotContain("until");
        assertThat(run("log-level", "io.iocluster.node").code()).isEqualTo(2);
        assertThat(run("log-level", "no.such", "debug").err()).contains("answers 404: no logger is called no.such");
    }

    @Test
    void saysWhyADestinationCannotBePaused() {
        assertThat(run("destination", "pause", "nowhere").err())
                .contains("answers 404: no destination is called nowhere");
        assertThat(run("destination", "pause", "partner", "--for", "9d").err())
                .contains("answers 400: for must be from 1s to 1d (admin.actions.max-duration): 9d");
        assertThat(run("destination", "pause", "partner", "--for", "long").code())
                .isEqualTo(2);
        assertThat(run("destination", "limit", "partner").code()).isEqualTo(2);
        assertThat(run("destination").code()).isEqualTo(2);
    }

    @Test
    void resizesPausesResumesAndDrains() {
        assertThat(run("resize", "--max-in-flight", "77").out()).contains("max-in-flight=77");
        assertThat(run("resize").code()).isEqualTo(2);
        assertThat(run("resize", "--max-in-flight", "0"))
                .returns(2, CommandRun::code)
                .extracting(CommandRun::err, STRING)
                .contains("answers 400: workers.max-in-flight");
        assertThat(run("pause").out()).contains("node-1 is paused");
        assertThat(run("resume").out()).contains("node-1 is running");
        assertThat(run("drain").out()).contains("node-1 is draining");
        CommandRun late = run("resume");
        assertThat(late.code()).isEqualTo(1);
        assertThat(late.err()).contains("answers 409: the node is ");
    }

    @Test
    void topPrintsOneIntervalIfTheOutputIsNoTerminal() {
        fixture.fail("call-1");

        CommandRun run = run("top", "--interval", "100ms");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("NODE ", "CALLS/s", "node-1", "DESTINATION ", "ERRORS/s", "partner", "CODE ", "connect")
                .doesNotContain("\u001b");
        assertThat(run("top", "--interval", "1ms").err()).contains("--interval must be at least 100ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"failures", "pause", "resize --threads 1"})
    void namesTheTokenOptionIfTheTokenIsMissing(String command) {
        CommandRun run = CommandRun.of("", Map.of(), withAdmin(command.split(" ")));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains(fixture.uri("") + " needs admin.token: set IOCLUSTER_ADMIN_TOKEN, or use --token-file FILE");
    }

    @Test
    void readsTheTokenFromAFileAndNeverPrintsIt(@TempDir Path folder) throws IOException {
        String right = Files.writeString(folder.resolve("right"), TOKEN + "\n").toString();
        String wrong =
                Files.writeString(folder.resolve("wrong"), "other-secret\n").toString();
        String broken =
                Files.writeString(folder.resolve("broken"), "two words\n").toString();

        assertThat(CommandRun.of("", Map.of(), withAdmin("failures", "--token-file", right))
                        .code())
                .isZero();
        assertThat(CommandRun.of("", Map.of(), withAdmin("failures", "--token", TOKEN))
                        .code())
                .isZero();
        CommandRun refused = CommandRun.of("", Map.of(), withAdmin("failures", "--token-file", wrong));
        CommandRun invalid = CommandRun.of("", Map.of(), withAdmin("failures", "--token-file", broken));
        CommandRun absent = CommandRun.of("", Map.of(), withAdmin("failures", "--token-file", "absent"));

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("refuses the token").doesNotContain("other-secret");
        assertThat(invalid.code()).isEqualTo(2);
        assertThat(invalid.err()).contains("the token must be visible ASCII").doesNotContain("two words");
        assertThat(absent.err()).contains("absent cannot be read: no such file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "top", "drain"})
    void namesTheAddressAndWhatToDoIfTheConnectionIsRefused(String command) {
        String url = "http://127.0.0.1:" + FreePorts.find(1)[0];

        CommandRun run = CommandRun.of("", Map.of(), command, "--admin", url);

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .hasLineCount(1)
                .startsWith("iocluster: " + url + " cannot be reached (")
                .contains("start a node with `iocluster run`", "--admin URL");
    }

    @Test
    void printsTheNodesThatAnswerIfOthersDoNot() {
        String absent = "127.0.0.1:" + FreePorts.find(1)[0];

        CommandRun run = CommandRun.of("", WITH_TOKEN, "status", "--admin", absent + "," + fixture.uri(""));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("node-1");
        assertThat(run.err()).contains("http://" + absent + " cannot be reached");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://h", "http://u:p@h", "http://h/path", "http://h?x=1", "::", "http://"})
    void refusesAnAddressThatIsNoAdminServer(String url) {
        CommandRun run = CommandRun.of("", Map.of(), "status", "--admin", url);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--admin must be a URL such as http://127.0.0.1:8080");
    }

    @Test
    void escapesControlCharactersAndFollowsNoRedirect() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String evil = "{\"groups\":[{\"destination\":\"a\\u001b[31m\",\"code\":\"\\u202ec\",\"count\":1,"
                + "\"latest\":[{\"id\":\"\\u0007\\n\",\"message\":\"\\u009b2J\"}]}]}";
        server.createContext("/api/failures", exchange -> {
            byte[] body = evil.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/api/status", exchange -> {
            exchange.getResponseHeaders()
                    .add("Location", fixture.uri("/api/status").toString());
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            CommandRun failures = CommandRun.of("", WITH_TOKEN, "failures", "--admin", url);
            CommandRun status = CommandRun.of("", WITH_TOKEN, "status", "--admin", url);

            assertThat(failures.out())
                    .contains("a\\u{1b}[31m", "\\u{202e}c", "id=\\u{7}\\u{a}", "\\u{9b}2J")
                    .doesNotContain("\u001b", "\u202e", "\u0007", "\u009b");
            assertThat(status.err()).contains(url + " is not the admin server of a node");
        } finally {
            server.stop(0);
        }
    }

    private CommandRun run(String... command) {
        return CommandRun.of("", WITH_TOKEN, withAdmin(command));
    }

    private String[] withAdmin(String... command) {
        return Stream.concat(
                        Stream.of(command), Stream.of("--admin", fixture.uri("").toString()))
                .toArray(String[]::new);
    }

    private static JsonNode json(String line) {
        return JSON.readTree(line);
    }
}
