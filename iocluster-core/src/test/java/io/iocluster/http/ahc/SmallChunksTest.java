package io.iocluster.http.ahc;

import static io.iocluster.http.ahc.TestExecutor.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests responses whose chunks are so small that decoding them would keep the event loop from other calls. */
@Timeout(60)
class SmallChunksTest extends ExecutorFixture {

    private static final String CHUNKED = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n";

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
    void failsForAChunkSizeThatIsNotAscii() {
        HttpResult result = respond("\u00e9\nx\n0\n\n");

        assertThat(result)
                .isInstanceOfSatisfying(
                        HttpResult.Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR));
    }

    private HttpResult respond(String body) {
        ScriptedServer server = server(respondingWith(CHUNKED + body));
        return open(new TestExecutor()).await(get(server.port(), "/"));
    }
}
