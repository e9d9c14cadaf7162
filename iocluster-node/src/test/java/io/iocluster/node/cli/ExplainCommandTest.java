package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainCommandTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String CONFIG = """
            admin: {port: 0}
            http: {max-request-body: 1KiB}
            credentials:
              partner-a: {hosts: ["*.partner.example"], headers: {X-Api-Key: s3cr3t-key}, bearer: s3cr3t-token}
              hooks: {hosts: [b.example], standard-webhooks: {secrets: whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw}}
            destinations:
              - {match: ["*.partner.example"], name: partner, max-in-flight: 7, rate: 5/s, credential: partner-a}
              - match: ruled.example
                usable: {json: {pointer: /match, equals: true}}
                retry: {unusable-answers: true}
                breaker: {unusable-answers: true}
            """;

    @TempDir
    private Path folder;

    @Test
    void namesDestinationEgressCredentialAndLimits() throws IOException {
        CommandRun run = explain("{\"id\":\"1\",\"url\":\"https://api.partner.example/x?secret=s3cr3t-query\","
                + "\"timeoutMs\":1500,\"deadlineMs\":20000,\"retry\":{\"maxAttempts\":2}}");

        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains(
                        "result:      would be made",
                        "call:        GET https://api.partner.example:443",
                        "destination: partner (destinations[0], match: *.partner.example)",
                        "egress.mode: enforce; scheme https, port 443 and host api.partner.example are allowed",
                        "credential:  partner-a (credential of the destination): adds header X-Api-Key, Authorization"
                                + " with a bearer token",
                        "in flight 7, waiting 1000, rate 5/s",
                        "an attempt may take 1500ms, the whole call 20s",
                        "up to 2 attempts",
                        "answer:      to ")
                .doesNotContain("s3cr3t");
    }

    @Test
    void saysWhichAnswersAreUsable() throws IOException {
        assertThat(explain("{\"url\":\"https://a.example/\"}").out())
                .contains("usable:      not checked; a 2xx wins in any");
        assertThat(explain("{\"url\":\"https://ruled.example/\"}").out())
                .contains("usable:      status [2xx], /match equals true (usable of the destination);"
                        + " other answers are retried; other answers count for the breaker");
        assertThat(explain("{\"url\":\"https://ruled.example/\",\"usable\":{\"status\":[204]}}")
                        .out())
                .contains("usable:      status [204] (usable of the envelope); other answers are retried");
    }

    @Test
    void namesASignatureWithoutItsSecrets() throws IOException {
        assertThat(explain("{\"url\":\"https://b.example/\",\"auth\":\"hooks\"}")
                        .out())
                .contains(
                        "credential:  hooks (auth of the envelope): adds a Standard Webhooks signature with 1 secret; for"
                                + " hosts b.example")
                .doesNotContain("MfKQ");
    }

    @Test
    void explainsEachCallOfAnEnvelope() throws IOException {
        CommandRun run = explain("{\"any\":[{\"url\":\"https://a.example/\"},{\"url\":\"https://10.0.0.1/\"}]}");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains(
                        "call 1 of 2",
                        "a.example:443 (no entry of destinations matches; destination-defaults apply)",
                        "call 2 of 2",
                        "code:        address-not-allowed");
    }

    @Test
    void reportsWhatTheModeReportWouldRefuse() throws IOException {
        CommandRun run = explain("{\"url\":\"https://a.example:8443/\"}", Map.of("IOCLUSTER_EGRESS_MODE", "report"));

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("egress.mode: report; would refuse: port 8443 is not allowed; see egress.ports");
    }

    @Test
    void saysWhetherTheCallUsesTheCache() throws IOException {
        Map<String, String> cache = Map.of(
                "IOCLUSTER_DESTINATION_DEFAULTS_CACHE_TTL", "1m",
                "IOCLUSTER_DESTINATION_DEFAULTS_CACHE_COALESCE", "true",
                "IOCLUSTER_DESTINATION_DEFAULTS_CACHE_SHARE_ACROSS", "[apps]");

        assertThat(explain("{\"url\":\"https://a.example/\"}").out()).contains("cache:       none");
        assertThat(explain("{\"url\":\"https://a.example/\"}", cache).out())
                .contains(
                        "cache:       responses with a status below 400 are used for up to 1m, and only as their headers"
                                + " allow; others are not stored; identical calls under way share one attempt; shared within"
                                + " one credential");
        Map<String, String> negative = new HashMap<>(cache);
        negative.put("IOCLUSTER_DESTINATION_DEFAULTS_CACHE_NEGATIVE_TTL", "10s");
        negative.put("IOCLUSTER_DESTINATION_DEFAULTS_CACHE_RESPECT_CACHE_CONTROL", "false");
        assertThat(explain("{\"url\":\"https://a.example/\"}", negative).out())
                .contains("cache:       responses are used for up to 1m, those from status 400 on for up to 10s;");
        assertThat(explain("{\"url\":\"https://a.example/\",\"method\":\"PUT\"}", cache)
                        .out())
                .contains("cache:       not used: cache.methods has no PUT");
        assertThat(explain("{\"url\":\"https://a.example/\",\"headers\":{\"Range\":\"bytes=0-9\"}}", cache)
                        .out())
                .contains("cache:       not used: the call asks for a range, or is conditional");
    }

    @Test
    void saysWhetherASlowCallGetsASecondAttempt() throws IOException {
        Map<String, String> hedge = Map.of("IOCLUSTER_DESTINATION_DEFAULTS_HEDGE_AFTER", "p95");
        String post = "{\"url\":\"https://a.example/\",\"method\":\"POST\"}";
        String once = "{\"url\":\"https://a.example/\",\"retry\":{\"maxAttempts\":1}}";

        assertThat(explain("{\"url\":\"https://a.example/\"}").out()).contains("hedging:     none\n");
        assertThat(explain("{\"url\":\"https://a.example/\"}", hedge).out())
                .contains("hedging:     a second attempt after p95 of the destination's latency, and at least 5ms;"
                        + " at most 5 % of the calls");
        assertThat(explain(post, hedge).out())
                .contains("hedging:     none: POST without idempotencyKey must not be sent twice");
        assertThat(explain(once, hedge).out()).contains("hedging:     none: the call may have only one attempt");
        assertThat(explain(
                                "{\"url\":\"https://a.example/\"}",
                                Map.of("IOCLUSTER_DESTINATION_DEFAULTS_HEDGE_AFTER", "200ms"))
                        .out())
                .contains("hedging:     a second attempt after 200ms; at most 5 % of the calls");
    }

    @Test
    void saysWhereTheCallConnectsTo() throws IOException {
        String entry = "[{match: a.example, upstreams: {addresses: [\"127.0.0.1:81\", \"127.0.0.2:82\"]}}]";
        Map<String, String> upstreams =
                Map.of("IOCLUSTER_DESTINATIONS", entry, "IOCLUSTER_EGRESS_ALLOW_NETWORKS", "[127.0.0.1/32]");

        assertThat(explain("{\"url\":\"https://a.example/\"}").out())
                .contains("upstreams:   none; the host of the URL");
        assertThat(explain("{\"url\":\"https://a.example/\"}", upstreams).out())
                .contains("upstreams:   127.0.0.1:81, 127.0.0.2:82");
        assertThat(explain("{\"url\":\"https://a.example/\"}", upstreams, "--resolve")
                        .out())
                .contains("code:        address-not-allowed");
    }

    @Test
    void resolvesHostsOnDemand() throws IOException {
        CommandRun run = explain(
                "{\"url\":\"https://localhost/\"}", Map.of("IOCLUSTER_EGRESS_ALLOW_HOSTS", "[localhost]"), "--resolve");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("code:        address-not-allowed", "127.0.0.1");
    }

    @Test
    void escapesControlCharactersOfTheEnvelope() throws IOException {
        CommandRun run = explain("{\"url\":\"https://a.example/\",\"auth\":\"\\u001b[2J\"}");

        assertThat(run.out()).contains("\\u{1b}[2J").doesNotContain("\u001b");
    }

    @Test
    void readsAFileAndPrintsJson() throws IOException {
        String envelope = Files.writeString(folder.resolve("e.json"), "{\"url\":\"ftp://a.example/\"}")
                .toString();

        CommandRun run = explain("", Map.of(), "--json", envelope);

        JsonNode json = JSON.readTree(run.out());
        assertThat(json.path("result").asString()).isEqualTo("refused");
        assertThat(json.path("code").asString()).isEqualTo("scheme-not-allowed");
        assertThat(explain("", Map.of(), "absent.json").err()).contains("absent.json cannot be read: no such file");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"url\":\"ftp://a.example/\"}",
                "{\"url\":\"https://a.example:99999/\"}",
                "{\"url\":\"https://169.254.169.254/\"}",
                "{\"url\":\"/relative\"}",
                "{\"url\":\"https://u:p@a.example/\"}",
                "{\"url\":\"https://a.example/\",\"method\":\"TRACE\"}",
                "{\"url\":\"https://a.example/\",\"headers\":{\"Host\":\"b\"}}",
                "{\"url\":\"https://a.example/\",\"auth\":\"absent\"}",
                "{\"url\":\"https://a.example/\",\"auth\":\"partner-a\"}",
                "{\"url\":\"https://api.partner.example/\",\"headers\":{\"X-Api-Key\":\"mine\"}}",
                "{\"url\":\"https://a.example/\",\"timeoutMs\":-1}",
                "{\"url\":\"https://a.example/\",\"unknown\":1}",
                "{\"method\":\"GET\"}",
            })
    void refusesWithTheCodeOfANode(String envelope) throws IOException {
        try (AdminFixture node = new AdminFixture(CONFIG)) {
            node.broker.send(envelope);
            await().until(() -> !node.broker.answers().isEmpty());
            String answer = node.broker.answers().get(0).text();
            String local = "egress: {ports: [], allow-networks: [127.0.0.0/8]}\n";

            CommandRun run = explain(local + CONFIG, envelope, Map.of(), "--json");

            assertThat(run.code()).isEqualTo(1);
            assertThat(JSON.readTree(run.out()).path("code"))
                    .as(answer)
                    .isEqualTo(JSON.readTree(answer).path("error").path("code"));
        }
    }

    @Test
    void refusesABodyOverTheLimitAndAnUnreadableEnvelope() throws IOException {
        String large = "{\"url\":\"https://a.example/\",\"method\":\"POST\",\"body\":\"" + "x".repeat(2000) + "\"}";

        assertThat(explain(large).out()).contains("code:        request-too-large");
        assertThat(explain("not JSON").out()).contains("code:        malformed-envelope", "becomes a dead letter");
    }

    private CommandRun explain(String envelope) throws IOException {
        return explain(envelope, Map.of());
    }

    private CommandRun explain(String envelope, Map<String, String> environment, String... arguments)
            throws IOException {
        return explain(CONFIG, envelope, environment, arguments);
    }

    private CommandRun explain(String yaml, String envelope, Map<String, String> environment, String... arguments)
            throws IOException {
        String config = Files.writeString(folder.resolve("node.yaml"), yaml).toString();
        String[] command = java.util.stream.Stream.concat(
                        java.util.stream.Stream.of("explain", "--config", config),
                        java.util.stream.Stream.of(arguments))
                .toArray(String[]::new);
        return CommandRun.of(envelope, environment, command);
    }
}
