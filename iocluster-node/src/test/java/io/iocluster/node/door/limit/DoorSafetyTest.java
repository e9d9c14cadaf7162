package io.iocluster.node.door.limit;

import static io.iocluster.node.door.DoorFixture.code;
import static io.iocluster.node.door.DoorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.door.DoorFixture;
import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may use the door, and how much. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorSafetyTest {

    private DoorFixture open;
    private DoorFixture tokens;

    @BeforeAll
    void start() {
        open = new DoorFixture("");
        tokens =
                new DoorFixture("apps: [{name: shop, token: s3cr3t, max-in-flight: 1}, {name: billing, token: other}]");
    }

    @AfterAll
    void stop() {
        open.close();
        tokens.close();
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0", "192.0.2.1", "door.example"})
    void anAddressThatIsNotLoopbackNeedsAuthentication(String host) {
        assertThatThrownBy(() -> new DoorFixture("host: " + host))
                .isInstanceOf(InvalidSettingsException.class)
                .satisfies(invalid -> assertThat(((InvalidSettingsException) invalid)
                                .invalidSettings()
                                .toString())
                        .contains("door.host", "give an app a token"));
    }

    @ParameterizedTest
    @CsvSource({"Origin, http://evil.example", "Sec-Fetch-Site, cross-site", "Sec-Fetch-Site, same-site"})
    void aWebPageCannotUseTheDoor(String header, String value) {
        HttpResponse<String> refused = open.post(open.envelope("/ok"), header, value);

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(code(refused)).isEqualTo("forbidden");
    }

    @Test
    void aPageWhoseNameWasReboundCannotUseTheDoor() {
        String answer = open.raw("GET /v1/calls/x HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 403").contains("must name a loopback address");
    }

    @ParameterizedTest
    @CsvSource({"/metrics, 403", "/v1/openapi.json, 403", "/livez, 200", "/readyz, 200"})
    void aPageWhoseNameWasReboundCanOnlyProbe(String path, int status) {
        String answer = tokens.raw("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void everyCallNeedsATokenIfOneAppHasOne() {
        HttpResponse<String> none = tokens.post(tokens.envelope("/ok"));
        HttpResponse<String> wrong = tokens.post(tokens.envelope("/ok"), "Authorization", "Bearer s3cr3");

        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(tokens.post(tokens.envelope("/ok"), "Authorization", "Bearer other")
                        .statusCode())
                .isEqualTo(200);
        assertThat(tokens.get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void aForwardedRequestHasItsTokenInAnotherHeader() {
        HttpResponse<String> none = tokens.forward("GET", "/echo", "", "Authorization", "Bearer s3cr3t");
        HttpResponse<String> both = tokens.forward(
                "GET", "/echo", "", "Authorization", "Bearer for-the-target", "IOCluster-Token", "other");

        assertThat(none.statusCode()).isEqualTo(407);
        assertThat(both.statusCode()).isEqualTo(200);
        assertThat(both.body()).contains("for-the-target").doesNotContainIgnoringCase("iocluster-token");
    }

    @Test
    void aForwardedRequestMayHaveItsTokenInTheHeaderForProxies() {
        String answer = tokens.raw("GET /v1/forward/" + tokens.target.url("/echo") + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Proxy-Authorization: Bearer other\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200").doesNotContain("Bearer other");
    }

    @Test
    void anAppOverItsLimitGets429AndOthersContinue() {
        CompletableFuture<HttpResponse<String>> held = tokens.sendAsync(tokens.request(DoorFixture.CALLS)
                .headers("Content-Type", "application/json", "Authorization", "Bearer s3cr3t")
                .POST(BodyPublishers.ofString(tokens.envelope("/held?id=held")))
                .build());
        await().until(() -> tokens.get("/metrics", "Authorization", "Bearer other")
                .body()
                .contains("iocluster_door_in_flight 1.0"));

        HttpResponse<String> second = tokens.post(tokens.envelope("/ok"), "Authorization", "Bearer s3cr3t");
        HttpResponse<String> other = tokens.post(tokens.envelope("/ok"), "Authorization", "Bearer other");
        tokens.target.releaseHeld();

        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(code(second)).isEqualTo("app-over-quota");
        assertThat(second.headers().firstValue("Retry-After")).contains("1");
        assertThat(other.statusCode()).isEqualTo(200);
        assertThat(json(held.join()).path("status").asInt()).isEqualTo(200);
    }

    @Test
    void theBodiesOfAllRequestsAreLimitedTogether() throws Exception {
        try (DoorFixture small = new DoorFixture("limits: {max-body: 8KiB, max-bodies: 24KiB}");
                Socket first = slowBody(small);
                Socket second = slowBody(small);
                Socket third = slowBody(small)) {
            await().until(() -> small.get("/metrics").body().contains("iocluster_door_body_bytes 22500.0"));

            HttpResponse<String> refused = small.post(" ".repeat(3_000));
            first.close();
            second.close();
            third.close();
            await().until(() -> small.get("/metrics").body().contains("iocluster_door_body_bytes 0.0"));
            HttpResponse<String> accepted = small.post(small.envelope("/ok"));

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(code(refused)).isEqualTo("door-full");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(accepted.statusCode()).isEqualTo(200);
        }
    }

    private static Socket slowBody(DoorFixture door) throws IOException {
        Socket slow = new Socket("127.0.0.1", door.door.address().getPort());
        slow.getOutputStream()
                .write(("POST /v1/calls HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                                + "Content-Length: 8000\r\n\r\n" + " ".repeat(7_500))
                        .getBytes(StandardCharsets.US_ASCII));
        return slow;
    }

    @Test
    void allBodiesMustHoldALargeBodyAsItArrivedAndAsItWasRead() {
        assertThatThrownBy(() -> new DoorFixture("limits: {max-body: 8KiB, max-bodies: 16KiB}"))
                .isInstanceOf(InvalidSettingsException.class)
                .satisfies(invalid -> assertThat(((InvalidSettingsException) invalid)
                                .invalidSettings()
                                .toString())
                        .contains("door.limits.max-bodies must be at least 3 times max-body, which is 8KiB"));
    }

    @Test
    void theMetricsNeedATokenIfOneAppHasOne() {
        HttpResponse<String> none = tokens.get("/metrics");

        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(tokens.get("/metrics", "Authorization", "Bearer other").statusCode())
                .isEqualTo(200);
        assertThat(open.get("/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void aCallWithTheIdOfAnOpenOneIsRefused() {
        String held = "{\"id\": \"twice\", \"url\": \"" + open.target.url("/held?id=twice") + "\"}";
        CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(() -> open.post(held));
        await().until(() -> open.get("/metrics").body().contains("iocluster_door_in_flight 1.0"));

        HttpResponse<String> second = open.post(held);
        HttpResponse<String> ofAnotherApp = open.post(
                "{\"id\": \"twice\", \"url\": \"" + open.target.url("/ok") + "\"}", "IOCluster-App", "billing");
        open.target.releaseHeld();

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(code(second)).isEqualTo("id-in-use");
        assertThat(ofAnotherApp.statusCode()).isEqualTo(200);
        assertThat(first.join().statusCode()).isEqualTo(200);
    }

    @Test
    void eachBranchOfAnEnvelopeCounts() {
        try (DoorFixture small = new DoorFixture("limits: {max-in-flight: 2}")) {
            String branch = small.envelope("/ok");

            HttpResponse<String> refused = small.post("{\"all\": [" + branch + "," + branch + "," + branch + "]}");
            HttpResponse<String> accepted = small.post("{\"all\": [" + branch + "," + branch + "]}");

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(code(refused)).isEqualTo("too-many-branches");
            assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
            assertThat(accepted.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anEnvelopeWithMoreCallsThanItsAppMayHaveCanNeverSucceed() {
        String branch = tokens.envelope("/ok");

        HttpResponse<String> refused =
                tokens.post("{\"all\": [" + branch + "," + branch + "]}", "Authorization", "Bearer s3cr3t");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(code(refused)).isEqualTo("too-many-branches");
    }

    @Test
    void tooManyOpenRequestsAreRefused() {
        try (DoorFixture small = new DoorFixture("limits: {max-requests: 1}")) {
            CompletableFuture<HttpResponse<String>> held =
                    CompletableFuture.supplyAsync(() -> small.post(small.envelope("/held?id=only")));
            await().until(() -> small.target.requestLog().open() == 1);

            assertThat(small.get("/livez").statusCode()).isEqualTo(429);
            small.target.releaseHeld();

            assertThat(held.join().statusCode()).isEqualTo(200);
            await().until(() -> small.get("/livez").statusCode() == 200);
        }
    }

    @Test
    void callersThatWaitAreLimitedAndGetTheirAnswerLater() {
        try (DoorFixture small = new DoorFixture("answers: {max-waiting: 2}")) {
            small.post(
                    "{\"id\": \"a\", \"url\": \"" + small.target.url("/held?id=a") + "\"}", "Prefer", "respond-async");
            CompletableFuture<HttpResponse<String>> waiting =
                    CompletableFuture.supplyAsync(() -> small.get("/v1/calls/a", "Prefer", "wait=20"));
            await().until(() -> small.get("/metrics").body().contains("iocluster_door_waiting 1.0"));

            HttpResponse<String> second = small.get("/v1/calls/a", "Prefer", "wait=20");
            small.target.releaseHeld();

            assertThat(second.statusCode()).isEqualTo(202);
            assertThat(waiting.join().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aFullDoorReturns429() {
        try (DoorFixture small = new DoorFixture("limits: {max-in-flight: 1}")) {
            small.post(small.envelope("/never"), "Prefer", "respond-async");

            HttpResponse<String> refused = small.post(small.envelope("/ok"));

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(code(refused)).isEqualTo("door-full");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        }
    }
}
