package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests responses whose chunks or TLS records are so small that decoding them would keep the event loop from other calls. */
@Timeout(60)
class SmallPartsTest extends ExecutorFixture {

    private static final String CHUNKED = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n";

    /** Fewer bytes than the response's head may have. */
    private static final int TOO_MANY_RECORDS = 7_500;

    private static final int ACCEPTED_RECORDS = 4_000;

    @Test
    void failsForABodyOfManySmallChunks() {
        HttpResult result = respond("1\nx\n".repeat(2 * ResponseCollector.MAX_SMALL_PARTS) + "0\n\n");

        assertThat(result).isInstanceOfSatisfying(HttpResult.Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
            assertThat(failure.message())
                    .isEqualTo("the response body has more than 4096 parts of fewer than 64 bytes on average");
        });
    }

    @Test
    void acceptsAStreamOfSmallEvents() {
        HttpResult result = respond("9\ndata: 123\n".repeat(2_000) + "0\n\n");

        assertThat(result)
                .isInstanceOfSatisfying(
                        HttpResult.Response.class,
                        response -> assertThat(response.body()).hasSize(2_000 * 9));
    }

    @Test
    void acceptsManyChunksOfAFairSize() {
        int chunks = 7_000;
        String chunk = "40\n" + "x".repeat(ResponseCollector.SMALL_PART_BYTES) + "\n";

        HttpResult result = respond(chunk.repeat(chunks) + "0\n\n");

        assertThat(result)
                .isInstanceOfSatisfying(
                        HttpResult.Response.class,
                        response -> assertThat(response.body()).hasSize(chunks * ResponseCollector.SMALL_PART_BYTES));
    }

    @Test
    void failsForManyLongLinesOfChunks() {
        String chunk = "40;" + "e".repeat(60_000) + "\n" + "x".repeat(ResponseCollector.SMALL_PART_BYTES) + "\n";

        assertHasTooManyBytesBesideTheBody(respond(chunk.repeat(10) + "0\n\n"));
    }

    @Test
    void failsForManyChunksWithLongPadding() {
        String chunk = "40" + " ".repeat(60_000) + "\n" + "x".repeat(ResponseCollector.SMALL_PART_BYTES) + "\n";

        assertHasTooManyBytesBesideTheBody(respond(chunk.repeat(10) + "0\n\n"));
    }

    @Test
    void failsForEndlessBlankLinesBeforeAResponse() {
        ScriptedServer server = server(connection -> {
            connection.read();
            while (true) {
                connection.send("\n".repeat(1_000));
            }
        });

        assertHasTooManyBytesBesideTheBody(executor().await(get(server.port(), "/")));
    }

    private static void assertHasTooManyBytesBesideTheBody(HttpResult result) {
        assertThat(result).isInstanceOfSatisfying(HttpResult.Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
            assertThat(failure.message()).contains("too many bytes besides the body");
        });
    }

    @Test
    void failsForAChunkSizeThatIsNotAscii() {
        HttpResult result = respond("\u00e9\nx\n0\n\n");

        assertThat(result)
                .isInstanceOfSatisfying(
                        HttpResult.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR));
    }

    @Test
    void failsForAHeadInTooManyTlsRecords() throws Exception {
        ScriptedServer server = respondingByteByByte(TOO_MANY_RECORDS);
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        HttpResult.Failure failure = executor.failure(getOverTls(server));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        executor.awaitNoConnections();
    }

    @Test
    void acceptsSeveralHeadsInThousandsOfTlsRecordsOnOneConnection() throws Exception {
        ScriptedServer server = respondingByteByByte(ACCEPTED_RECORDS);
        TestExecutor executor = open(new TestExecutor(HttpSettings.DEFAULTS, TRUST));

        for (int call = 0; call < 4; call++) {
            assertThat(executor.response(getOverTls(server)).status()).isEqualTo(200);
        }

        assertThat(server.connections()).isEqualTo(1);
    }

    /** Returns a target that sends each byte of a response in a separate TLS record. */
    private ScriptedServer respondingByteByByte(int bytes) throws Exception {
        String start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ";
        String response = start + "x".repeat(bytes - start.length()) + "\r\n\r\n";
        return open(new ScriptedServer(AUTHORITY.sockets(), connection -> {
            while (connection.read() != null) {
                for (byte each : response.getBytes(StandardCharsets.ISO_8859_1)) {
                    connection.sendBytes(new byte[] {each});
                }
            }
        }));
    }

    private static HttpRequest getOverTls(ScriptedServer server) {
        return new HttpRequest("GET", new TargetUrl("https", "127.0.0.1", server.port(), "/"), List.of(), null);
    }

    private HttpResult respond(String body) {
        ScriptedServer server = server(respondingWith(CHUNKED + body));
        return open(new TestExecutor()).await(get(server.port(), "/"));
    }
}
