package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {

    private final Guard open = new Guard("");
    private final Guard guarded = new Guard("s3cr3t");

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080", "127.9.9.9"})
    void withoutATokenALoopbackHostMayChangeThings(String host) {
        assertThat(open.refuse(post(Map.of("Host", host)))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", ""})
    void withoutATokenAReboundNameIsRefused(String host) {
        assertThat(open.refuse(post(Map.of("Host", host)))).map(Reply::status).hasValue(403);
    }

    @Test
    void withATokenAnyHostNameWillDo() {
        assertThat(guarded.refuse(post(Map.of("Host", "node-1.internal:8080", "Authorization", "bearer s3cr3t"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer s3cr3", "Bearer s3cr3tt", "Basic s3cr3t", "s3cr3t", "Bearer", "Bearer "})
    void anythingButTheTokenIsRefused(String authorization) {
        assertThat(guarded.refuse(post(Map.of("Host", "localhost", "Authorization", authorization))))
                .map(Reply::status)
                .hasValue(401);
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example",
        "Origin, null",
        "Origin, http://localhost:9999",
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site"
    })
    void pagesOfOtherOriginsAreRefusedEvenWithTheToken(String header, String value) {
        Map<String, String> headers = Map.of("Host", "localhost:8080", "Authorization", "Bearer s3cr3t", header, value);

        assertThat(guarded.refuse(post(headers))).map(Reply::status).hasValue(403);
    }

    @Test
    void theNodesOwnPageIsLetThrough() {
        Map<String, String> headers =
                Map.of("Host", "localhost:8080", "Origin", "http://localhost:8080", "Sec-Fetch-Site", "same-origin");

        assertThat(open.refuse(post(headers))).isEmpty();
    }

    @Test
    void readingIsFree() {
        assertThat(guarded.refuse(request("GET", Map.of("Host", "evil.example"))))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/config", "/api/failures", "/api/threads"})
    void readingWhatIsForOperatorsIsNot(String path) {
        Headers rebound = new Headers();
        rebound.put("Host", List.of("evil.example"));
        Request request = new Request("GET", path, rebound, new byte[0]);

        assertThat(open.refuse(request)).map(Reply::status).hasValue(403);
        assertThat(guarded.refuse(request)).map(Reply::status).hasValue(401);
    }

    private static Request post(Map<String, String> headers) {
        return request("POST", headers);
    }

    private static Request request(String method, Map<String, String> headers) {
        Headers all = new Headers();
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        return new Request(method, "/api/pause", all, new byte[0]);
    }
}
