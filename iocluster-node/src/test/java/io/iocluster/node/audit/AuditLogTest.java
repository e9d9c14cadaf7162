package io.iocluster.node.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tests what operators do to a real node over its admin API, and what the audit log says of it. */
class AuditLogTest {

    private static final String[] OPERATOR = {"Authorization", "Bearer s3cr3t", "Content-Type", "application/json"};
    private static final String[] READER = {"Authorization", "Bearer r3ader", "Content-Type", "application/json"};

    private final AuditRecorder audit = new AuditRecorder();
    private final AdminFixture fixture =
            new AdminFixture("admin: {port: 0, token: s3cr3t, read-only-token: r3ader}\nworkers: {threads: 1}");

    @AfterEach
    void close() {
        fixture.close();
        audit.close();
    }

    @Test
    void recordsWhoDidWhatFromWhereWithTheValuesBeforeAndAfter() {
        fixture.call("POST", "/api/pause", "", OPERATOR);
        fixture.call("POST", "/api/resume", "", OPERATOR);
        fixture.call("PATCH", "/api/workers", "{\"max-in-flight\": 77}", OPERATOR);
        fixture.call("POST", "/api/drain", "", OPERATOR);

        await().untilAsserted(() -> assertThat(audit.lines())
                .containsExactly(
                        "Operator action action=pause who=operator from=127.0.0.1 before={\"state\":\"running\"}"
                                + " after={\"state\":\"paused\"} outcome=done",
                        "Operator action action=resume who=operator from=127.0.0.1 before={\"state\":\"paused\"}"
                                + " after={\"state\":\"running\"} outcome=done",
                        "Operator action action=resize who=operator from=127.0.0.1"
                                + " before={\"threads\":1,\"max-in-flight\":300}"
                                + " after={\"threads\":1,\"max-in-flight\":77} outcome=done",
                        "Operator action action=drain who=operator from=127.0.0.1 before={\"state\":\"running\"}"
                                + " after={\"state\":\"draining\"} outcome=done"));
    }

    @Test
    void recordsWhyAnActionWasRefused() {
        fixture.call("PATCH", "/api/workers", "{\"threads\": 5000}", OPERATOR);

        assertThat(audit.last())
                .startsWith("Operator action action=resize who=operator from=127.0.0.1 outcome=refused"
                        + " reason=\"400: workers.threads must be from 0 to 1024: 5000");
    }

    @Test
    void theReadOnlyTokenReadsAndItsChangesAreDenied() {
        assertThat(fixture.get("/api/config", READER).statusCode()).isEqualTo(200);
        assertThat(fixture.get("/api/failures", READER).statusCode()).isEqualTo(200);

        HttpResponse<String> denied = fixture.call("POST", "/api/pause", "", READER);

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(AdminFixture.json(denied).get("error").asString())
                .isEqualTo("the token is admin.read-only-token, which cannot change the node; use admin.token");
        assertThat(audit.last())
                .startsWith("Operator action action=\"pause\" who=read-only from=127.0.0.1 outcome=denied"
                        + " reason=\"403: the token is admin.read-only-token");
        assertThat(fixture.node.status().source().pauseReasons()).isEmpty();
    }

    @Test
    void readsAreNotRecorded() {
        fixture.get("/api/status", OPERATOR);
        fixture.get("/api/config", OPERATOR);
        fixture.get("/api/config");

        assertThat(audit.lines()).isEmpty();
    }

    @Test
    void aFloodOfDeniedActionsWritesOneLineInTenSeconds() {
        AtomicLong now = new AtomicLong();
        AuditLog log = new AuditLog(now::get);
        Actor stranger = new Actor("anonymous", "10.0.0.9");
        for (int i = 0; i < 500; i++) {
            log.denied(stranger, "pause", "401: no token");
        }
        now.addAndGet(TimeUnit.SECONDS.toNanos(11));
        log.denied(stranger, "pause", "401: no token");

        assertThat(audit.lines()).hasSize(2);
        assertThat(audit.last()).endsWith("suppressed=499");
    }

    @Test
    void noValueAddsALineOrAField() {
        new AuditLog(System::nanoTime)
                .refused(new Actor("operator", "10.0.0.9"), "pause", "bad\nOperator action \" outcome=done");

        assertThat(audit.last()).endsWith("reason=\"bad\\nOperator action \\\" outcome=done\"");
    }

    @Test
    void aLongValueIsCut() {
        new AuditLog(System::nanoTime)
                .done(
                        new Actor("operator", "10.0.0.9"),
                        "configuration",
                        JsonNodeFactory.instance.stringNode("x".repeat(100_000)),
                        JsonNodeFactory.instance.nullNode());

        assertThat(audit.last()).hasSizeLessThan(3_000).endsWith("after=null outcome=done");
    }
}
