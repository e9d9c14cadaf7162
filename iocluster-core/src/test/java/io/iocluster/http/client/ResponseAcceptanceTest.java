package io.iocluster.http.client;

import static io.iocluster.http.client.ResponseAcceptanceTest.Others.CURL_AND_GO;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.testkit.target.ScriptedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which HTTP/1.1 responses are accepted. Each row of the table in {@code ResponseAcceptanceTest.txt} says what curl 7.88 and the
 * net/http of Go 1.26 did with the same bytes. The node accepts a response that both accept, unless it could hide one response in another.
 * The error message then says so.
 */
@Timeout(60)
class ResponseAcceptanceTest extends ExecutorFixture {

    /** Which other clients accept a response. */
    enum Others {
        CURL_AND_GO,
        CURL,
        GO,
        /** curl and Go accept it but read different bodies. */
        DIFFERENTLY,
        NONE
    }

    /**
     * A response and what the call ends with.
     *
     * @param closes whether the target closes the connection after the response
     * @param status 0 if the response is refused
     * @param header the value of the header X-A, or null if the row does not check it
     * @param message a part of the failure's message
     */
    private record Row(
            Others others,
            String name,
            String method,
            byte[] bytes,
            boolean closes,
            int status,
            String body,
            String header,
            ErrorCode code,
            String message) {

        /** Reads a line of the table. */
        static Row parse(String[] cells) {
            String result = cells[4].strip();
            boolean accepted = Character.isDigit(result.charAt(0));
            String detail = cells[5].strip();
            String header = cells[6].strip();
            return new Row(
                    Others.valueOf(cells[0].strip()),
                    cells[1].strip(),
                    cells[2].strip(),
                    text(cells[7].strip()).getBytes(StandardCharsets.ISO_8859_1),
                    cells[3].strip().equals("closes"),
                    accepted ? Integer.parseInt(result) : 0,
                    accepted ? detail : null,
                    header.isEmpty() ? null : text(header),
                    accepted ? null : ErrorCode.valueOf(result),
                    accepted ? null : detail);
        }

        /** Replaces the escapes of the table. */
        private static String text(String cell) {
            return Pattern.compile("\\\\(x([0-9a-f]{2})?|.)").matcher(cell).replaceAll(escape -> switch (escape.group(
                    1)) {
                case "n" -> "\r\n";
                case "l" -> "\n";
                case "r" -> "\r";
                case "t" -> "\t";
                case "x" -> "";
                default -> Matcher.quoteReplacement("" + (char) Integer.parseInt(escape.group(2), 16));
            });
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Row> table() throws IOException {
        try (InputStream file = ResponseAcceptanceTest.class.getResourceAsStream("ResponseAcceptanceTest.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> Row.parse(line.split("\\|")));
        }
    }

    private static Stream<Row> largeHeads() {
        String cookie = "Set-Cookie: c=v; Path=/\n";
        String body = "Content-Length: 2\n\nok";
        String chunked = "Transfer-Encoding: chunked\n\n2\nok\n0\n";
        String policy = "Content-Security-Policy: " + "p".repeat(4_000) + "\n";
        return Stream.of(
                accepted(
                        "a policy and five cookies",
                        "OK\n" + policy + ("Set-Cookie: c=" + "v".repeat(900) + "\n").repeat(5) + body),
                accepted("100 cookies", "OK\n" + cookie.repeat(100) + body),
                accepted("a header of 63 KiB", "OK\nX-Large: " + "v".repeat(63 * 1024) + "\n" + body),
                accepted("a reason phrase of 5,000 characters", "r".repeat(5_000) + "\n" + body),
                overLimit("a header of 65 KiB", "OK\nX-Large: " + "v".repeat(65 * 1024) + "\n" + body, "s"),
                overLimit("1,000 cookies", "OK\n" + cookie.repeat(1_000) + body, "-count"),
                overLimit("1,000 trailers", "OK\n" + chunked + "T: v\n".repeat(1_000) + "\n", "-count"));
    }

    @ParameterizedTest
    @MethodSource({"table", "largeHeads"})
    void acceptsWhatCurlAndGoAcceptUnlessItHidesAResponse(Row row) {
        ScriptedServer server = server(connection -> {
            while (connection.read() != null) {
                connection.sendBytes(row.bytes);
                if (row.closes) {
                    return;
                }
            }
        });
        TestExecutor executor = executor();
        // The second call shows whether the first one left anything behind.
        for (int i = 0; i < 2; i++) {
            check(row, executor.await(TestExecutor.request(row.method, server.port(), "/", null)));
        }
    }

    private static void check(Row row, HttpResult result) {
        if (row.status > 0) {
            assertThat(result).isInstanceOfSatisfying(Response.class, response -> {
                assertThat(response.status()).isEqualTo(row.status);
                assertThat(TestExecutor.text(response)).isEqualTo(row.body);
                if (row.header != null) {
                    assertThat(response.headers()).contains(new Header("x-a", row.header));
                }
            });
            return;
        }
        assertThat(result).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(row.code);
            assertThat(failure.message()).contains(row.message);
            if (row.others == CURL_AND_GO) {
                assertThat(failure.message()).containsAnyOf("response smuggling", "http.max-response-header");
            }
        });
    }

    private static Row accepted(String name, String afterTheStatus) {
        return new Row(CURL_AND_GO, name, "GET", bytes(afterTheStatus), false, 200, "ok", null, null, null);
    }

    private static Row overLimit(String name, String afterTheStatus, String setting) {
        return new Row(
                CURL_AND_GO,
                name,
                "GET",
                bytes(afterTheStatus),
                false,
                0,
                null,
                null,
                ErrorCode.PROTOCOL_ERROR,
                "http.max-response-header" + setting);
    }

    private static byte[] bytes(String afterTheStatus) {
        return ("HTTP/1.1 200 " + afterTheStatus).replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
