package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class FailuresTest {

    @Test
    void listsFailedCallsWithTheirReasonLatestFirst() {
        try (AdminFixture scene = new AdminFixture("admin: {port: 0}")) {
            Instant start = Instant.now();
            scene.fail("first");
            scene.fail("second");

            JsonNode shown = AdminFixture.json(scene.get("/api/failures"));

            JsonNode latest = shown.at("/failures/0");
            assertThat(shown.get("failures")).hasSize(2);
            assertThat(latest.get("id").asString()).isEqualTo("second");
            assertThat(latest.get("destination").asString()).isEqualTo("127.0.0.1:1");
            assertThat(latest.get("code").asString()).isEqualTo("connect-refused");
            assertThat(latest.get("attempts").asInt()).isEqualTo(1);
            assertThat(Instant.parse(latest.get("at").asString())).isAfterOrEqualTo(start);
            assertThat(shown.at("/counts/0/count").asLong()).isEqualTo(2);
            assertThat(shown.toString()).doesNotContain("secret");
        }
    }

    @Test
    void listsFailedCallsWithoutADestination() {
        try (AdminFixture scene = new AdminFixture("admin: {port: 0}")) {
            scene.broker.send("{\"id\": \"lost\", \"url\": \"nowhere\"}");
            await().until(() -> !scene.broker.answers().isEmpty());

            JsonNode failure = AdminFixture.json(scene.get("/api/failures")).at("/failures/0");

            assertThat(failure.get("destination").isNull()).isTrue();
            assertThat(failure.get("code").asString()).isEqualTo("invalid-url");
            assertThat(failure.get("attempts").asInt()).isZero();
        }
    }

    @Test
    void listsAnAnswerThatWasTooLarge() {
        try (AdminFixture scene = new AdminFixture("admin: {port: 0}")) {
            scene.broker.limitPayloadBytes(600);
            scene.broker.send("{\"id\": \"long\", \"url\": \"" + scene.target.url("/body?bytes=1000") + "\"}");
            await().until(() -> !scene.broker.answers().isEmpty());

            JsonNode failure = AdminFixture.json(scene.get("/api/failures")).at("/failures/0");

            assertThat(failure.get("id").asString()).isEqualTo("long");
            assertThat(failure.get("code").asString()).isEqualTo("answer-too-large");
        }
    }

    @Test
    void requiresTheTokenForOperatorPaths() {
        try (AdminFixture scene = new AdminFixture("admin: {port: 0, token: s3cr3t}")) {
            for (String path : List.of("/api/failures", "/api/config", "/api/threads")) {
                assertThat(scene.get(path).statusCode()).isEqualTo(401);
                assertThat(scene.call("HEAD", path, "").statusCode()).isEqualTo(401);
                assertThat(scene.get(path, "Authorization", "Bearer s3cr3t").statusCode())
                        .isEqualTo(200);
            }
            assertThat(AdminFixture.json(scene.get("/api/status"))
                            .get("tokenRequired")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void dumpsThreadsInTheFormatOfJstack() {
        try (AdminFixture scene = new AdminFixture("admin: {port: 0}")) {
            String dump = scene.get("/api/threads").body();

            assertThat(dump).contains("Full thread dump", "\"iocluster-admin-", "at io.iocluster.node.admin.");
        }
    }
}
