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
    void groupsFailedCallsByTheirReasonLatestFirst() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}")) {
            Instant start = Instant.now();
            fixture.fail("first");
            fixture.fail("second");

            JsonNode shown = AdminFixture.json(fixture.get("/api/failures"));

            assertThat(shown.get("groups")).hasSize(1);
            JsonNode group = shown.at("/groups/0");
            assertThat(group.get("destination").asString()).isEqualTo("127.0.0.1:1");
            assertThat(group.get("code").asString()).isEqualTo("connect-refused");
            assertThat(group.get("count").asLong()).isEqualTo(2);
            assertThat(Instant.parse(group.get("first").asString())).isAfterOrEqualTo(start);
            assertThat(group.get("last")).isEqualTo(group.at("/latest/0/at"));
            assertThat(group.at("/latest/0/id").asString()).isEqualTo("second");
            assertThat(group.at("/latest/1/id").asString()).isEqualTo("first");
            assertThat(group.at("/latest/0/attempts").asInt()).isEqualTo(1);
            assertThat(shown.toString()).doesNotContain("secret");
        }
    }

    @Test
    void listsFailedCallsWithoutADestination() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}")) {
            fixture.broker.send("{\"id\": \"lost\", \"url\": \"nowhere\"}");
            await().until(() -> !fixture.broker.answers().isEmpty());

            JsonNode group = AdminFixture.json(fixture.get("/api/failures")).at("/groups/0");

            assertThat(group.get("destination").isNull()).isTrue();
            assertThat(group.get("code").asString()).isEqualTo("invalid-url");
            assertThat(group.at("/latest/0/attempts").asInt()).isZero();
        }
    }

    @Test
    void listsAnAnswerThatWasTooLarge() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}\nhttp: {when-body-too-large: fail}")) {
            fixture.broker.limitPayloadBytes(600);
            fixture.broker.send("{\"id\": \"long\", \"url\": \"" + fixture.target.url("/body?bytes=1000") + "\"}");
            await().until(() -> !fixture.broker.answers().isEmpty());

            JsonNode group = AdminFixture.json(fixture.get("/api/failures")).at("/groups/0");

            assertThat(group.at("/latest/0/id").asString()).isEqualTo("long");
            assertThat(group.get("code").asString()).isEqualTo("answer-too-large");
        }
    }

    @Test
    void requiresTheTokenForOperatorPaths() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0, token: s3cr3t}")) {
            for (String path : List.of("/api/failures", "/api/config", "/api/threads")) {
                assertThat(fixture.get(path).statusCode()).isEqualTo(401);
                assertThat(fixture.call("HEAD", path, "").statusCode()).isEqualTo(401);
                assertThat(fixture.get(path, "Authorization", "Bearer s3cr3t").statusCode())
                        .isEqualTo(200);
            }
            assertThat(AdminFixture.json(fixture.get("/api/status"))
                            .get("tokenRequired")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void dumpsThreadsInTheFormatOfJstack() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}")) {
            String dump = fixture.get("/api/threads").body();

            assertThat(dump).contains("Full thread dump", "\"iocluster-admin-", "at io.iocluster.node.admin.");
        }
    }
}
