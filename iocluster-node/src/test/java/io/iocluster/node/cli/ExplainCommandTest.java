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
import org.junit.jupiter.params.provider.CsvSource;
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

    /** A variable that does not begin with IOCLUSTER_ is one of the destination-defaults. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"url":"https://a.example/"}                                       | | usable:      not checked; a 2xx wins in any
            {"url":"https://ruled.example/"}                                   | | usable:      status [2xx], /match equals true (usable of the destination); other answers are retried; other answers count for the breaker
            {"url":"https://ruled.example/","usable":{"status":[204]}}         | | usable:      status [204] (usable of the envelope); other answers are retried
            {"url":"https://b.example/","auth":"hooks"}                        | | credential:  hooks (auth of the envelope): adds a Standard Webhooks signature with 1 secret; for hosts b.example
            {"url":"https://a.example:8443/"}                                  | IOCLUSTER_EGRESS_MODE=report | egress.mode: report; would refuse: port 8443 is not allowed; see egress.ports
            {"url":"https://a.example/"}                                       | | cache:       none
            {"url":"https://a.example/"}                                       | CACHE_TTL=1m;CACHE_COALESCE=true;CACHE_SHARE_ACROSS=[apps] | cache:       responses with a status below 400 are used for up to 1m, and only as their headers allow; others are not stored; identical calls under way share one attempt; shared within one credential
            {"url":"https://a.example/"}                                       | CACHE_TTL=1m;CACHE_NEGATIVE_TTL=10s;CACHE_RESPECT_CACHE_CONTROL=false | cache:       responses are used for up to 1m, those from status 400 on for up to 10s;
            {"url":"https://a.example/","method":"PUT"}                        | CACHE_TTL=1m | cache:       not used: cache.methods has no PUT
            {"url":"https://a.example/","headers":{"Range":"bytes=0-9"}}       | CACHE_TTL=1m | cache:       not used: the call asks for a range, or is conditional
            {"url":"https://a.example/"}                                       | | hedging:     none
            {"url":"https://a.example/"}                                       | HEDGE_AFTER=p95 | hedging:     a second attempt after p95 of the destination's latency, and at least 5ms; at most 5 % of the calls
            {"url":"https://a.example/","method":"POST"}                       | HEDGE_AFTER=p95 | hedging:     none: POST without idempotencyKey must not be sent twice
            {"url":"https://a.example/","retry":{"maxAttempts":1}}             | HEDGE_AFTER=p95 | hedging:     none: the call may have only one attempt
            {"url":"https://a.example/"}                                       | HEDGE_AFTER=200ms | hedging:     a second attempt after 200ms; at most 5 % of the calls
            {"url":"https://a.example/"}                                       | | upstreams:   none; the host of the URL
            {"url":"https://a.example/"}                                       | IOCLUSTER_DESTINATIONS=[{match: a.example, upstreams: {addresses: ["127.0.0.1:81", "127.0.0.2:82"]}}] | upstreams:   127.0.0.1:81, 127.0.0.2:82
            """)
    void saysWhatAppliesToTheCall(String envelope, String environment, String line) throws IOException {
        Map<String, String> variables = new HashMap<>();
        for (String variable : environment == null ? new String[0] : environment.split(";")) {
            String[] nameAndValue = variable.split("=", 2);
            String prefix = variable.startsWith("IOCLUSTER_") ? "" : "IOCLUSTER_DESTINATION_DEFAULTS_";
            variables.put(prefix + nameAndValue[0], nameAndValue[1]);
        }

        assertThat(explain(envelope, variables).out()).contains(line).doesNotContain("MfKQ");
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://localhost/ | EGRESS_ALLOW_HOSTS | [localhost]",
                "https://a.example/ | DESTINATIONS | [{match: a.example, upstreams: {addresses: [\"127.0.0.1:81\"]}}]"
            })
    void resolvesHostsOnDemand(String url, String variable, String value) throws IOException {
        CommandRun run = explain("{\"url\":\"" + url + "\"}", Map.of("IOCLUSTER_" + variable, value), "--resolve");

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
