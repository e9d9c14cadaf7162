package io.iocluster.node.httpd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.testkit.process.TempDirectory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the node with httpbin as the target. */
@Timeout(180)
class HttpbinIT {

    private static final TempDirectory FOLDER = new TempDirectory("httpbin");
    private static HttpServerProcess httpbin;
    private static InMemoryNode node;

    @BeforeAll
    static void start() throws Exception {
        httpbin = HttpServerProcess.httpbin(FOLDER);
        node = new InMemoryNode("""
                credentials:
                  basic: {hosts: 127.0.0.1, schemes: [http], basic: {username: jo, password: pa55}}
                  bearer: {hosts: 127.0.0.1, schemes: [http], bearer: t0ken}
                  header: {hosts: 127.0.0.1, schemes: [http], headers: {X-Api-Key: k3y}}
                destinations:
                  - {match: 127.0.0.1, compression: true}
                """);
        get("/get"); // The first call loads classes, which may take longer than the shortest timeout of a test.
    }

    @AfterAll
    static void stop() {
        node.close();
        httpbin.close();
        FOLDER.close();
    }

    @ParameterizedTest
    @CsvSource({"/gzip, gzipped", "/deflate, deflated"})
    void decompressesBodies(String path, String proof) {
        Answer answer = get(path);

        assertThat(json(answer).get(proof).asBoolean()).isTrue();
        assertThat(json(answer).get("headers").get("Accept-Encoding").asString())
                .isEqualTo("gzip, deflate");
        assertThat(answer.headers()).extracting(Header::name).doesNotContain("content-encoding");
    }

    @Test
    void passesOnUnknownContentEncodings() {
        Answer answer = get("/brotli", "\"headers\": {\"Accept-Encoding\": \"br\"}");

        assertThat(answer.headers()).contains(new Header("content-encoding", "br"));
        assertThat(new String(answer.body(), UTF_8)).doesNotContain("brotli");
    }

    @Test
    void joinsTheChunksOfAStream() {
        Answer answer = get("/stream/20");

        assertThat(new String(answer.body(), UTF_8).lines()).hasSize(20);
        assertThat(answer.headers()).extracting(Header::name).doesNotContain("transfer-encoding", "connection");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                200, 201, 202, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 412,
                418, 422, 431, 451, 500, 501, 505, 599
            })
    void returnsEveryStatusUnchanged(int status) {
        Answer answer = get("/status/" + status);

        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void returnsTheLastStatusAfterRetries(int status) {
        Answer answer = get("/status/" + status, "\"retry\": {\"maxAttempts\": 2}");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.attempts()).isEqualTo(2);
    }

    @Test
    void doesNotFollowRedirects() {
        Answer answer = get("/redirect-to?url=http%3A%2F%2F169.254.169.254%2F", "\"auth\": \"header\"");

        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.headers()).contains(new Header("location", "http://169.254.169.254/"));
    }

    @Test
    void reportsTheTimeOfTheTarget() {
        Answer answer = get("/delay/1");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.timing().firstByteMs()).isBetween(1_000L, 9_000L);
        assertThat(answer.timing().totalMs())
                .isGreaterThanOrEqualTo(answer.timing().firstByteMs());
    }

    @Test
    void timesOutASlowCall() {
        Answer answer = get("/delay/5", "\"timeoutMs\": 300", "\"retry\": {\"maxAttempts\": 1}");

        assertThat(answer.error().code()).isEqualTo("timeout");
        assertThat(answer.timing().totalMs()).isBetween(290L, 4_900L);
    }

    @Test
    void distinguishesTextFromBytesByContent() {
        assertThat(get("/encoding/utf8").body()).asString(UTF_8).contains("∮ E⋅da");
        assertThat(get("/image/png").body()).startsWith(0x89, 'P', 'N', 'G');
        assertThat(get("/bytes/1000?seed=1").body()).hasSize(1000);
    }

    @Test
    void keepsRepeatedHeaders() {
        Answer answer = get("/response-headers?X-Tag=a&X-Tag=b");

        assertThat(answer.headers().stream()
                        .filter(header -> header.name().equals("x-tag"))
                        .map(Header::value))
                .containsExactly("a", "b");
    }

    @Test
    void keepsNoCookies() {
        assertThat(get("/cookies/set/crumb/1").headers())
                .extracting(Header::name)
                .contains("set-cookie");
        assertThat(json(get("/cookies")).get("cookies").isEmpty()).isTrue();
    }

    @Test
    void sendsMethodBodyAndHeadersUnchanged() {
        Answer answer = node.call("""
                {"method": "PATCH", "url": "%s", "headers": {"X-Tag": ["a", "b"], "Content-Type": "text/plain"},
                 "body": "Grüße"}""".formatted(url("/anything?a=1&b=%C3%BC")));

        JsonNode seen = json(answer);
        assertThat(seen.get("method").asString()).isEqualTo("PATCH");
        assertThat(seen.get("data").asString()).isEqualTo("Grüße");
        assertThat(seen.get("args").get("b").asString()).isEqualTo("ü");
        assertThat(seen.get("headers").get("X-Tag").asString()).isEqualTo("a,b");
    }

    @Test
    void authenticatesWithCredentials() {
        assertThat(get("/basic-auth/jo/pa55", "\"auth\": \"basic\"").status()).isEqualTo(200);
        assertThat(get("/basic-auth/jo/other", "\"auth\": \"basic\"").status()).isEqualTo(401);
        assertThat(json(get("/bearer", "\"auth\": \"bearer\"")).get("token").asString())
                .isEqualTo("t0ken");
        assertThat(get("/bearer").status()).isEqualTo(401);
        assertThat(json(get("/headers", "\"auth\": \"header\""))
                        .get("headers")
                        .get("X-Api-Key")
                        .asString())
                .isEqualTo("k3y");
    }

    private static Answer get(String path, String... fields) {
        return node.get(url(path), fields);
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + httpbin.port() + path;
    }

    private static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}
