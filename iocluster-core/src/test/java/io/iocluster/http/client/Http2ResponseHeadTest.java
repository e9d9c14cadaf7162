package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.Http2Target;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which response heads are accepted over HTTP/2, and that one that is not leaves the connection to other calls. */
@Timeout(60)
class Http2ResponseHeadTest {

    private static Http2Target target;
    private static TestExecutor executor;

    private int connections;

    @BeforeAll
    static void start() throws Exception {
        target = new Http2Target(ExecutorFixture.AUTHORITY.target());
        executor = new TestExecutor(HttpSettings.DEFAULTS, ExecutorFixture.TRUST);
    }

    @AfterAll
    static void close() {
        executor.close();
        target.close();
    }

    /** Makes a first call, so that the connection is open. */
    @BeforeEach
    void connect() {
        assertThat(executor.response(get("/")).status()).isEqualTo(200);
        connections = target.connections();
    }

    /** curl and Go accept them too. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "a ", "a \t", " a", "\ta", " \t a "})
    void removesBlanksAroundAValue(String value) {
        assertThat(accepted(response().add("x-a", bytes(value)))).contains(new Header("x-a", "a"));
    }

    @Test
    void acceptsAValueOfBlanks() {
        assertThat(accepted(response().add("x-a", bytes(" \t ")))).contains(new Header("x-a", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a \t b", "caf\u00e9", "caf\u00c3\u00a9", "\u0080\u0085"})
    void keepsOtherValues(String value) {
        assertThat(accepted(response().add("x-a", bytes(value)))).contains(new Header("x-a", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nx-b: c", "a\nb", "a\rb", "a\0b", "a\u0001b", "a\u007f"})
    void refusesControlCharacters(String value) {
        refused(response().add("x-a", bytes(value)), "a character that HTTP/2 does not allow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Upper", "x y", "x:y", "x(a)", "x\r\ny", "x\u00e9"})
    void refusesInvalidNames(String name) {
        refused(response().add(bytes(name), "v"), "not a valid HTTP response");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "20", "099", "1000", "2OO", "+20"})
    void refusesAnInvalidStatus(String status) {
        refused(new DefaultHttp2Headers(false).status(status), "status");
    }

    @Test
    void refusesAHeadWithoutAStatus() {
        refused(new DefaultHttp2Headers(false).add("x-a", "v"), "invalid status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"200", "299", "451", "600", "999"})
    void acceptsAnyStatusOfThreeDigits(String status) {
        assertThat(accepted(new DefaultHttp2Headers(false).status(status))).isEmpty();
    }

    @Test
    void acceptsALargeHead() {
        assertThat(accepted(response().add("x-a", "v".repeat(60 * 1024)))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 100, 500, 600})
    void namesTheSettingIfTheHeadIsTooLarge(int kibibytes) {
        refused(response().add("x-a", "v".repeat(kibibytes * 1024)), "http.max-response-headers");
    }

    @Test
    void closesTheConnectionIfTheHeadIsMoreThanTenTimesTooLarge() {
        target.respondWithHeaders("/head", response().add("x-a", "v".repeat(1024 * 1024)));

        Failure failure = executor.failure(get("/head"));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(executor.response(get("/")).status()).isEqualTo(200);
        assertThat(target.connections()).isEqualTo(connections + 1);
    }

    @Test
    void namesTheSettingIfThereAreTooManyHeaders() {
        Http2Headers headers = response();
        for (int i = 0; i < 257; i++) {
            headers.add("set-cookie", "c" + i + "=v");
        }
        refused(headers, "http.max-response-header-count");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "3", "2, 3", "two", "-2", ""})
    void refusesAWrongLength(String length) {
        refused(response().add("content-length", length), "not a valid HTTP response");
    }

    @Test
    void acceptsARepeatedLength() {
        accepted(response().add("content-length", "2").add("content-length", "2"));
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "HEAD, 404", "GET, 204", "GET, 304", "POST, 204"})
    void dropsABodyWhereThereIsNone(String method, String status) {
        target.respondWithHeaders("/head", new DefaultHttp2Headers(false).status(status));

        Response response = executor.response(request(method, "/head"));

        assertThat(response.status()).hasToString(status);
        assertThat(response.body()).isEmpty();
        assertConnectionIsIntact();
    }

    private static Http2Headers response() {
        return new DefaultHttp2Headers(false).status("200");
    }

    private static AsciiString bytes(String text) {
        return new AsciiString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private List<Header> accepted(Http2Headers head) {
        target.respondWithHeaders("/head", head);
        Response response = executor.response(get("/head"));
        assertThat(TestExecutor.text(response)).isEqualTo("ok");
        assertThat(response.status()).hasToString(head.status().toString());
        assertConnectionIsIntact();
        return response.headers();
    }

    private void refused(Http2Headers head, String message) {
        target.respondWithHeaders("/head", head);
        Failure failure = executor.failure(get("/head"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.message()).contains(message);
        assertConnectionIsIntact();
    }

    private void assertConnectionIsIntact() {
        assertThat(executor.response(get("/")).status()).isEqualTo(200);
        assertThat(target.connections()).isEqualTo(connections);
    }

    private static HttpRequest get(String path) {
        return request("GET", path);
    }

    private static HttpRequest request(String method, String path) {
        return new HttpRequest(method, new TargetUrl("https", "127.0.0.1", target.port(), path), List.of(), null);
    }
}
