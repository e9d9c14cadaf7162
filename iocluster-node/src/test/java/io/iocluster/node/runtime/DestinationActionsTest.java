package io.iocluster.node.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.audit.AuditRecorder;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Acts on destinations of a real node over its admin API. */
class DestinationActionsTest {

    @AutoClose
    private final AdminFixture fixture = new AdminFixture("""
            admin: {port: 0, actions: {duration: 2m, max-duration: 1h}}
            destinations:
              - {match: [127.0.0.1], name: partner, max-in-flight: 50, max-waiting: 2}
              - {match: [localhost], name: healthy, breaker: {enabled: false}}
            """);

    @Test
    void aPausedDestinationMakesNoCallUntilItIsResumedAndOthersContinue() {
        JsonNode paused = act("pause", "{\"destination\": \"partner\", \"for\": \"10m\"}");
        send("waits", "127.0.0.1");
        send("continues", "localhost");

        await().until(() -> answered("continues"));
        assertThat(answered("waits")).isFalse();
        assertThat(destination("partner").get("waiting").asInt()).isEqualTo(1);
        assertThat(Instant.parse(paused.at("/operatorPause/until").asString()))
                .isBetween(Instant.now().plusSeconds(590), Instant.now().plusSeconds(600));
        assertThat(act("resume", "{\"destination\": \"partner\"}")
                        .get("operatorPause")
                        .isNull())
                .isTrue();
        await().until(() -> answered("waits"));
    }

    @Test
    void aPauseEndsByItself() {
        act("pause", "{\"destination\": \"partner\", \"for\": \"1s\"}");
        send("waits", "127.0.0.1");

        await().until(() -> answered("waits"));

        assertThat(destination("partner").get("operatorPause").isNull()).isTrue();
    }

    @Test
    void theDefaultDurationIsASetting() {
        JsonNode paused = act("pause", "{\"destination\": \"partner\"}");

        assertThat(Duration.ofMillis(paused.at("/operatorPause/remainingMillis").asLong()))
                .isBetween(Duration.ofSeconds(110), Duration.ofMinutes(2));
    }

    @Test
    void callsBeyondTheQueueOfAPausedDestinationFailAsIfItWereFull() {
        send("before", "localhost");
        await().until(() -> answered("before"));
        act("pause", "{\"destination\": \"partner\"}");
        for (int i = 0; i < 20; i++) {
            send("full-" + i, "127.0.0.1");
        }
        send("after", "localhost");

        await().until(() -> answered("after"));
        await().untilAsserted(() -> assertThat(fixture.broker.answers())
                .filteredOn(each -> new String(each.payload(), UTF_8).contains("destination-full"))
                .hasSize(18));
        assertThat(destination("partner").get("waiting").asInt()).isEqualTo(2);
    }

    @Test
    void aLimitReplacesTheConfiguredOneUntilItIsRemoved() {
        JsonNode limited = act(
                "limit", "{\"destination\": \"partner\", \"max-in-flight\": 1, \"rate\": \"30/m\", \"for\": \"5m\"}");

        assertThat(limited.get("inFlightLimit").asInt()).isEqualTo(1);
        assertThat(limited.get("rate").asString()).isEqualTo("30/m");
        assertThat(limited.at("/operatorLimit/maxInFlight").asInt()).isEqualTo(1);

        JsonNode unlimited = act("unlimit", "{\"destination\": \"partner\"}");
        assertThat(unlimited.get("inFlightLimit").asInt()).isEqualTo(50);
        assertThat(unlimited.get("rate").asString()).isEqualTo("unlimited");
    }

    @Test
    void closesAnOpenBreaker() {
        for (int i = 0; i < 30; i++) {
            fixture.broker.send("{\"url\": \"http://127.0.0.1:1/\", \"retry\": {\"maxAttempts\": 1}}");
        }
        await().until(() -> destination("partner").get("breaker").asString().equals("open"));

        assertThat(act("reset-breaker", "{\"destination\": \"partner\"}")
                        .get("breaker")
                        .asString())
                .isEqualTo("closed");
    }

    @Test
    void showsTheActionInTheStatusTheProblemsAndTheMetrics() {
        act("pause", "{\"destination\": \"partner\"}");
        act("limit", "{\"destination\": \"healthy\", \"rate\": \"5/s\"}");

        await().untilAsserted(() -> assertThat(AdminFixture.json(fixture.get("/api/status"))
                        .get("problems")
                        .toString())
                .contains("\"kind\":\"destination-paused\",\"severity\":\"warn\",\"subject\":\"partner\"")
                .contains("An operator paused destination partner until ")
                .contains("An operator limits destination healthy to 5/s until "));
        assertThat(fixture.get("/metrics").body())
                .containsPattern(
                        "iocluster_destination_operator_seconds\\{action=\"pause\",destination=\"partner\".*} 1\\d\\d")
                .containsPattern(
                        "iocluster_destination_operator_seconds\\{action=\"limit\",destination=\"healthy\".*} 1\\d\\d");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pause; {\"destination\": \"nowhere\"}; 404; 'no destination is called nowhere; GET /api/destinations lists them'",
                "pause; {\"for\": \"10m\"}; 400; destination is missing",
                "pause; {\"destination\": \"partner\", \"for\": \"2h\"}; 400; for must be from 1s to 1h (admin.actions.max-duration): 2h",
                "pause; {\"destination\": \"partner\", \"for\": \"0s\"}; 400; for must be from 1s to 1h (admin.actions.max-duration): 0s",
                "pause; {\"destination\": \"partner\", \"for\": \"forever\"}; 400; 'for must be a duration such as 90s, 10m or 2h: forever'",
                "pause; {\"destination\": \"partner\", \"until\": \"x\"}; 400; 'until is not a known key; use destination or for'",
                "limit; {\"destination\": \"partner\"}; 400; max-in-flight or rate is missing",
                "limit; {\"destination\": \"partner\", \"max-in-flight\": 0}; 400; max-in-flight must be a whole number from 1 to 1000000: 0",
                "limit; {\"destination\": \"partner\", \"rate\": \"fast\"}; 400; rate must be such as 200/s, 30/m or unlimited: fast",
                "reset-breaker; {\"destination\": \"healthy\"}; 409; the breaker of healthy is disabled",
            })
    void refusesWhatIsNotPossible(String action, String body, int status, String error) {
        HttpResponse<String> refused = post(action, body);

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(AdminFixture.json(refused).get("error").asString()).isEqualTo(error);
        assertThat(destination("partner").get("operatorPause").isNull()).isTrue();
    }

    @Test
    void theAuditLogHasEachAction() {
        try (AuditRecorder audit = new AuditRecorder()) {
            act("limit", "{\"destination\": \"partner\", \"max-in-flight\": 1}");
            assertThat(audit.last())
                    .startsWith("Operator action action=destination-limit who=anonymous from=127.0.0.1"
                            + " before={\"destination\":\"partner\",\"operatorPause\":null,\"operatorLimit\":null,"
                            + "\"inFlightLimit\":50,\"rate\":\"unlimited\",\"breaker\":\"closed\"} after={")
                    .contains("\"inFlightLimit\":1")
                    .endsWith("outcome=done");

            post("pause", "{\"destination\": \"nowhere\"}");
            assertThat(audit.last()).contains("action=destination-pause", "outcome=refused", "404: no destination");
        }
    }

    private JsonNode act(String action, String body) {
        HttpResponse<String> done = post(action, body);
        assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
        return AdminFixture.json(done);
    }

    private HttpResponse<String> post(String action, String body) {
        return fixture.call("POST", "/api/destinations/" + action, body, "Content-Type", "application/json");
    }

    private JsonNode destination(String name) {
        return AdminFixture.json(fixture.get("/api/destinations"))
                .get("destinations")
                .valueStream()
                .filter(each -> each.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void send(String id, String host) {
        String url = fixture.target.url("/ok").toString().replace("127.0.0.1", host);
        fixture.broker.send("{\"id\": \"" + id + "\", \"url\": \"" + url + "\"}");
    }

    private boolean answered(String id) {
        return fixture.broker.answers().stream()
                .anyMatch(each -> new String(each.payload(), UTF_8).contains("\"id\":\"" + id + "\""));
    }
}
