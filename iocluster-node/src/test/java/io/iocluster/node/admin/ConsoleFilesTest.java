package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests share a node, because each takes half a second to start, and they only read. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsoleFilesTest {

    private static final Pattern PART = Pattern.compile("\"/console/([^\"]+)\"|from '\\./([^']+)'");

    private final AdminFixture fixture = new AdminFixture("admin: {port: 0, token: s3cr3t}");

    @AfterAll
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, text/html; charset=utf-8",
        "/console/console.js, text/javascript; charset=utf-8",
        "/console/console.css, text/css; charset=utf-8",
        "/console/icon.svg, image/svg+xml",
        "/console/uplot-license.txt, text/plain; charset=utf-8"
    })
    void servesThePageAndItsFilesWithoutTheToken(String path, String type) {
        HttpResponse<String> file = fixture.get(path);

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type")).hasValue(type);
        assertThat(file.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void restrictsThePageByItsContentSecurityPolicy() {
        String policy =
                fixture.get("/").headers().firstValue("Content-Security-Policy").orElseThrow();

        assertThat(policy)
                .contains("default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(fixture.get("/").body()).doesNotContain("<style", " style=", "onclick", "http://", "https://");
    }

    @Test
    void sendsACachedFileAgainOnlyWhenItChanged() {
        String tag = fixture.get("/").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = fixture.get("/", "If-None-Match", tag);
        HttpResponse<String> other = fixture.get("/", "If-None-Match", "\"of-an-older-node\"");

        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(same.headers().firstValue("Cache-Control")).hasValue("no-cache");
        assertThat(other.statusCode()).isEqualTo(200);
    }

    @Test
    void servesEveryFileThatThePageReferences() {
        Set<String> parts = new TreeSet<>();
        collect(fixture.get("/").body(), parts);

        assertThat(parts).contains("console.css", "console.js", "icon.svg", "uplot.css", "uplot.js", "rates.js");
    }

    private void collect(String text, Set<String> parts) {
        PART.matcher(text)
                .results()
                .map(ConsoleFilesTest::name)
                .filter(parts::add)
                .toList()
                .forEach(name -> {
                    HttpResponse<String> part = fixture.get("/console/" + name);
                    assertThat(part.statusCode()).as(name).isEqualTo(200);
                    collect(part.body(), parts);
                });
    }

    private static String name(MatchResult part) {
        return part.group(1) == null ? part.group(2) : part.group(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/console/", "/console/index.html", "/console/nothing.js", "/console/a/b.js", "/console/.js"})
    void answersOtherFilesWith404(String path) {
        assertThat(fixture.get(path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/console/../admin/openapi.json", "/console/%2e%2e/admin/AdminApi.class"})
    void rejectsPathsOutsideTheFolder(String path) {
        assertThat(fixture.get(path).statusCode()).isEqualTo(400);
    }

    @Test
    void rejectsUploads() {
        assertThat(fixture.call("POST", "/console/console.js", "x", "Authorization", "Bearer s3cr3t")
                        .statusCode())
                .isEqualTo(404);
    }
}
