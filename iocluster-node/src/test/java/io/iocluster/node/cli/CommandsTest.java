package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.FakeBrokerAccess;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

    @TempDir
    private Path folder;

    private final FakeBrokerAccess broker = new FakeBrokerAccess();
    private String input = "";
    private CommandRun last;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''| a command is missing",
                "chek| unknown command chek; did you mean check?",
                "unheard| unknown command unheard",
                "check --conect| unknown option --conect; did you mean --connect?",
                "check --confg=x| unknown option --confg; did you mean --config?",
                "check -c x y| unexpected argument y",
                "run| Missing required option: '--config=FILE'",
                "door| --config or --local is missing",
                "check --config| Missing required parameter for option '--config' (FILE)",
                "send -c x --timeout 5| Invalid value for option '--timeout'",
            })
    void reportsAnInvalidCommandLineInOneLine(String arguments, String error) {
        int code = run(arguments.isEmpty() ? new String[0] : arguments.split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(err()).startsWith("iocluster: ").contains(error).contains("try: iocluster");
        assertThat(out()).isEmpty();
    }

    @Test
    void helpExitsWithZero() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("run", "door", "check", "send", "answers", "version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V", "check --version", "run --version"})
    void printsTheVersion(String arguments) {
        assertThat(run(arguments.split(" "))).isZero();
        assertThat(out()).startsWith("iocluster ").hasLineCount(1);
    }

    @Test
    void checkPrintsWhatDiffersFromTheDefaults() throws IOException {
        String config = config("{node: {id: node-1}, admin: {port: 8080, token: s3cr3t}}");

        assertThat(run("check", "--config", config)).isZero();
        assertThat(out()).isEqualTo("""
                # settings that differ from their defaults; --all prints every setting
                node:
                  id: node-1
                admin:
                  token: "***"
                # configuration is valid
                """);
        assertThat(err()).isEmpty();
    }

    @Test
    void checkSaysThatNothingDiffersFromTheDefaults() throws IOException {
        assertThat(run("check", "--config", config(""))).isZero();
        assertThat(out()).isEqualTo("""
                # every setting has its default; --all prints them
                # configuration is valid
                """);
    }

    @Test
    void checkPrintsAllSettingsWithSecretsHidden() throws IOException {
        String config = config("{node: {id: node-1}, admin: {token: s3cr3t}}");

        assertThat(run("check", "--all", "--config", config)).isZero();
        assertThat(out())
                .contains("id: node-1", "max-in-flight: 300", "token: \"***\"", "# configuration is valid")
                .doesNotContain("s3cr3t");
        assertThat(err()).isEmpty();
    }

    @Test
    void checkWarnsOfUnencryptedSecrets() throws IOException {
        String config = config("credentials: {a: {hosts: [h.example], schemes: [https, http], bearer: t},"
                + " b: {hosts: [i.example], oauth2: {token-url: \"http://i/\", client-id: c, client-secret: s}},"
                + " c: {hosts: [j.example], bearer: t}}");

        assertThat(run("check", "--config", config)).isZero();
        assertThat(err().lines())
                .containsExactly(
                        "warning: credentials.a.schemes has http: the secret is sent unencrypted to h.example; use"
                                + " [https]",
                        "warning: credentials.b.oauth2.token-url begins with http: the client's secret is sent"
                                + " unencrypted; use https");
    }

    @Test
    void checkPrintsOneLineForEachError() throws IOException {
        String config = config("{http: {connect-timeout: 0s}, workers: {treads: 1}}");

        assertThat(run("check", "--config", config)).isEqualTo(2);
        assertThat(err().lines())
                .containsExactlyInAnyOrder(
                        "http.connect-timeout must be positive: 0s",
                        "workers.treads is not a known key; did you mean threads?");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "run", "door"})
    void refusesABrokerClientThatCannotLogIn(String command) throws IOException {
        String config = config("""
                kafka:
                  properties:
                    security.protocol: SASL_SSL
                    sasl.mechanism: OAUTHBEARER
                    sasl.jaas.config: org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;
                    sasl.login.callback.handler.class: org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler
                """);

        assertThat(run(command, "--config", config)).isEqualTo(2);
        assertThat(err())
                .contains("kafka.properties.sasl.mechanism OAUTHBEARER cannot be used: The OAuth configuration option"
                        + " sasl.oauthbearer.token.endpoint.url value is required");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "run", "door"})
    void refusesAKeyThatIsNotOne(String command) throws IOException {
        Path key = Files.writeString(folder.resolve("key.pem"), "nothing");
        String config = config("{transport: rabbit, rabbit: {uris: [\"amqps://localhost\"]," + " tls: {certificate: "
                + key + ", key: " + key + "}}}");

        assertThat(run(command, "--config", config)).isEqualTo(2);
        assertThat(err()).startsWith("rabbit.tls.key cannot be used: " + key);
    }

    @Test
    void reportsAMissingConfigurationFile() {
        assertThat(run("check", "--config", "absent.yaml")).isEqualTo(2);
        assertThat(err()).isEqualTo("absent.yaml cannot be read: no such file\n");
    }

    @Test
    void checkConnectsToTheBrokerOnlyOnDemand() throws IOException {
        broker.failConnections("127.0.0.1:9092 does not answer");

        assertThat(run("check", "--config", config(""))).isZero();
        assertThat(run("check", "--connect", "--config", config(""))).isEqualTo(1);
        assertThat(err()).isEqualTo("127.0.0.1:9092 does not answer\n");
        assertThat(run("send", "--config", config(""))).isEqualTo(1);
        assertThat(err()).isEqualTo("iocluster: 127.0.0.1:9092 does not answer\n");
    }

    @Test
    void checkPrintsTheBrokerResultOnStandardError() throws IOException {
        assertThat(run("check", "--config", config(""))).isZero();
        String holds = out();

        assertThat(run("check", "--connect", "--config", config(""))).isZero();
        assertThat(out()).isEqualTo(holds);
        assertThat(err()).isEqualTo("a list: is there\n");
    }

    @Test
    void runReportsAnUnavailableAddressInOneLine() throws IOException {
        assertThat(run("run", "--config", config("admin: {host: 192.0.2.1, token: t, port: 1}")))
                .isEqualTo(1);
        assertThat(err()).startsWith("iocluster: admin cannot listen on 192.0.2.1:1");
    }

    @Test
    void sendEnqueuesEachLineUnchanged() throws IOException {
        input = "{\"url\": \"http://a.example/\"}\n\n  {\"url\":\"http://b.example/é\"}";

        assertThat(run("send", "--config", config(""))).isZero();
        assertThat(broker.requests())
                .containsExactly("{\"url\": \"http://a.example/\"}", "  {\"url\":\"http://b.example/é\"}");
        assertThat(err()).isEqualTo("sent 2, not sent 0\n");
    }

    @Test
    void sendReadsAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("in.ndjson"), "{\"url\":\"http://a.example/\"}\r\n");

        assertThat(run("send", "--config", config(""), file.toString())).isZero();
        assertThat(broker.requests()).hasSize(1);
        assertThat(run("send", "--config", config(""), "absent.ndjson")).isEqualTo(1);
        assertThat(err()).endsWith("absent.ndjson cannot be read: no such file\n");
    }

    @Test
    void sendReportsInvalidLinesAndSendsTheOthers() throws IOException {
        input = "{\"id\":\"1\"}\nnonsense\n[1]\n{\"id\":\"2\"} {}\n{\"id\":\"5\"}\n";

        assertThat(run("send", "--config", config(""))).isEqualTo(1);
        assertThat(broker.requests()).containsExactly("{\"id\":\"1\"}", "{\"id\":\"5\"}");
        assertThat(err().lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("line 2: not JSON"),
                        line -> assertThat(line).isEqualTo("line 3: not a JSON object"),
                        line -> assertThat(line).startsWith("line 4: not JSON"),
                        line -> assertThat(line).isEqualTo("sent 2, not sent 3"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"\"", "{}"})
    void sendWithWaitRejectsAnInvalidId(String id) throws IOException {
        input = "{\"id\":" + id + ",\"url\":\"http://h/\"}\n";

        assertThat(run("send", "--wait", "--config", config(""))).isEqualTo(1);
        assertThat(broker.requests()).isEmpty();
        assertThat(err().lines())
                .containsExactly(
                        "line 1: id must be a non-empty string so that the answer can be matched",
                        "sent 0, not sent 1, without an answer 0");
    }

    @Test
    void sendReportsEnvelopesThatTheBrokerRejects() throws IOException {
        broker.confirmWith(envelope -> CompletableFuture.completedFuture(
                envelope.contains("large") ? new PublishResult.TooLarge("too large") : PublishResult.CONFIRMED));
        input = "{\"id\":\"large\"}\n{\"id\":\"small\"}\n";

        assertThat(run("send", "--config", config(""))).isEqualTo(1);
        assertThat(err()).isEqualTo("line 1: not enqueued: too large\nsent 1, not sent 1\n");
    }

    @Test
    void sendFailsIfTheBrokerDoesNotConfirmInTime() throws IOException {
        broker.confirmWith(envelope -> new CompletableFuture<>());
        input = "{\"id\":\"1\"}\n";

        assertThat(run("send", "--config", config(""), "--timeout", "50ms")).isEqualTo(1);
        assertThat(err()).contains("the broker did not confirm within 50ms");
    }

    @Test
    void sendWaitsForItsOwnAnswers() throws IOException {
        broker.publish("{\"id\":\"somebody else's\",\"outcome\":\"answered\"}");
        input = "{\"id\":\"a\"}\n{\"url\":\"http://a.example/\"}\n";

        assertThat(run("send", "--config", config(""), "--wait")).isZero();
        assertThat(broker.requests().get(1)).matches("\\{\"url\":\"http://a.example/\",\"id\":\"[0-9a-f-]{36}\"}");
        assertThat(out().lines()).hasSize(2).allMatch(line -> line.endsWith("\"status\":200}"));
        assertThat(out()).contains("{\"id\":\"a\"").doesNotContain("somebody");
        assertThat(err()).isEqualTo("sent 2, not sent 0, without an answer 0\n");
    }

    @Test
    void sendReportsHowManyAnswersItDoesNotWaitForAndWhy() throws IOException {
        broker.respondWith(envelope -> null);
        broker.confirmWith(envelope -> CompletableFuture.completedFuture(
                envelope.contains("large") ? new PublishResult.TooLarge("too large") : PublishResult.CONFIRMED));
        input = String.join(
                "\n",
                "{\"id\":\"a\",\"reply\":\"never\"}",
                "{\"id\":\"b\",\"reply\":\"failures\",\"replyTo\":\"x\"}",
                "{\"id\":\"c\",\"replyTo\":\"x\"}",
                "{\"id\":\"large\",\"reply\":\"never\"}");

        assertThat(run("send", "--config", config(""), "--wait")).isEqualTo(1);
        assertThat(broker.requests()).hasSize(4);
        assertThat(err().lines())
                .containsExactly(
                        "line 4: not enqueued: too large",
                        "sent 3, not sent 1, without an answer 0, not waited for 3: 2 with reply failures or never, 1 with"
                                + " replyTo");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"reply\":\"sometimes\"",
                "\"reply\":7",
                "\"reply\":null",
                "\"replyTo\":\"\"",
                "\"replyTo\":7",
                "\"replyTo\":null"
            })
    void sendWaitsUnlessTheFieldPreventsAnAnswer(String field) throws IOException {
        input = "{\"id\":\"a\"," + field + "}\n";

        assertThat(run("send", "--config", config(""), "--wait")).isZero();
        assertThat(out()).isEqualTo("{\"id\":\"a\",\"outcome\":\"answered\",\"status\":200}\n");
        assertThat(err()).isEqualTo("sent 1, not sent 0, without an answer 0\n");
    }

    @Test
    void sendFailsIfAnAnswerDoesNotArrive() throws IOException {
        broker.respondWith(envelope -> null);
        input = "{\"id\":\"a\"}\n";

        assertThat(run("send", "--config", config(""), "--wait", "--timeout", "100ms"))
                .isEqualTo(1);
        assertThat(err()).isEqualTo("sent 1, not sent 0, without an answer 1\n");
    }

    private int run(String... arguments) {
        last = CommandRun.with(broker, input, Map.of(), arguments);
        return last.code();
    }

    private String config(String yaml) throws IOException {
        return Files.writeString(folder.resolve("node.yaml"), yaml).toString();
    }

    private String out() {
        return last.out();
    }

    private String err() {
        return last.err();
    }
}
