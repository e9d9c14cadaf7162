package io.iocluster.node.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TapRouteTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final AdminFixture fixture = new AdminFixture("""
            admin: {port: 0, tap: {max-taps: 2, max-rate: 1000/s, buffer: 50, shown-query-values: [page]}}
            credentials: {partner: {hosts: [127.0.0.1], schemes: [http], headers: {X-Key: s3cr3t-key}}}
            destinations: [{match: [127.0.0.1], name: partner}]
            """);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void streamsEachCallWithoutItsSecrets() throws Exception {
        try (OpenTap tap = open("/api/tap?rate=100/s")) {
            fixture.broker.send(
                    "{\"id\": \"call-1\", \"url\": \"" + fixture.target.url("/status")
                            + "?code=503&page=s3cr3t-key&token=s3cr3t-query\", \"auth\": \"partner\", \"method\": \"POST\", \"retry\": {\"maxAttempts\": 1},"
                            + " \"headers\": {\"Authorization\": \"s3cr3t-header\", \"Cookie\": \"s3cr3t-cookie\"}, \"body\": \"s3cr3t-body\"}");
            JsonNode first = tap.next(line -> line.has("id"));
            fixture.fail("call-2");
            JsonNode second = tap.next(line -> line.has("id"));
            assertThat(first.path("id").asString()).isEqualTo("call-1");
            assertThat(first.path("destination").asString()).isEqualTo("partner");
            assertThat(first.path("outcome").asString()).isEqualTo("answered");
            assertThat(first.path("status").asInt()).isEqualTo(503);
            assertThat(first.path("method").asString()).isEqualTo("POST");
            assertThat(first.path("url").asString())
                    .isEqualTo(fixture.target.url("/status") + "?code=***&page=***&token=***");
            assertThat(second.path("code").asString()).isEqualTo("connect-refused");
            assertThat(second.path("attempts").asInt()).isEqualTo(1);
            assertThat(tap.lines.toString()).doesNotContain("s3cr3t").doesNotContain("secret=1");
        }
    }

    @Test
    void showsWhatMatchesAndCountsTheRest() throws Exception {
        try (OpenTap tap = open("/api/tap?code=connect-refused&id=a*,b&rate=1/h")) {
            fixture.fail("other");
            fixture.fail("a1");
            fixture.fail("a2");
            fixture.fail("b");

            assertThat(tap.next(line -> line.has("id")).path("id").asString()).isEqualTo("a1");
            JsonNode counts = tap.next(line -> line.at("/counts/matched").asInt() == 3);
            assertThat(counts.at("/counts/skipped").asInt()).isEqualTo(2);
            assertThat(counts.at("/counts/dropped").asInt()).isZero();
        }
    }

    @Test
    void limitsTheOpenTapsAndCountsThoseWhoseClientHasGone() throws Exception {
        try (OpenTap first = open("/api/tap");
                OpenTap second = open("/api/tap")) {
            first.next(line -> line.has("counts"));
            second.next(line -> line.has("counts"));

            HttpResponse<String> third = fixture.get("/api/tap");

            assertThat(third.statusCode()).isEqualTo(429);
            assertThat(third.body()).contains("2 taps are open; admin.tap.max-taps is 2");
        }
        await().until(() -> fixture.call("HEAD", "/api/tap", "").statusCode() == 200);
        await().untilAsserted(() -> open("/api/tap").close());
    }

    @Test
    void endsAfterItsDuration() throws Exception {
        try (OpenTap tap = open("/api/tap?duration=300ms")) {
            assertThat(tap.next(line -> false)).isNull();
        }
    }

    @Test
    void aClientThatDoesNotReadLosesCallsAndDelaysNone() throws Exception {
        String url = fixture.target.url("/status") + "?page=" + "x".repeat(400);
        try (Socket idle = new Socket("127.0.0.1", fixture.node.adminAddress().getPort())) {
            idle.setReceiveBufferSize(4_096);
            idle.getOutputStream()
                    .write(("GET /api/tap?rate=1000/s HTTP/1.1\r\nHost: localhost\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = idle.getInputStream();
            assertThat(in.read()).isEqualTo('H');
            try (OpenTap reader = open("/api/tap?rate=1000/s")) {
                for (int i = 0; i < 3_000; i++) {
                    fixture.broker.send("{\"url\": \"" + url + "\"}");
                }
                await().until(() -> fixture.broker.answers().size() == 3_000);
                assertThat(reader.next(line -> line.at("/counts/matched").asInt() == 3_000))
                        .isNotNull();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rate=2000/s, admin.tap.max-rate",
        "rate=unlimited, admin.tap.max-rate",
        "rate=fast, rate: not a rate",
        "outcome=done, outcome must be one of",
        "code=999, code must be a status",
        "duration=2h, admin.tap.max-duration",
        "duration=999999999999d, duration",
        "host=a, unknown parameter: host",
    })
    void refusesAnInvalidQuery(String query, String message) {
        HttpResponse<String> refused = fixture.get("/api/tap?" + query);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains(message);
    }

    private OpenTap open(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> response =
                client.send(HttpRequest.newBuilder(fixture.uri(path)).build(), BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/x-ndjson");
        return new OpenTap(response.body());
    }

    /** A client of a tap, and all lines that it has read. */
    private static final class OpenTap implements AutoCloseable {

        private final BufferedReader in;
        private final List<String> lines = new ArrayList<>();

        OpenTap(InputStream in) {
            this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }

        /** Returns the next line that matches; null at the end. */
        JsonNode next(Predicate<JsonNode> wanted) throws IOException {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
                JsonNode json = JSON.readTree(line);
                if (wanted.test(json)) {
                    return json;
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
