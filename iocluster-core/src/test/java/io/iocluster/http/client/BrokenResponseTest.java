package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.testkit.target.ScriptedServer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests responses that HTTP/1.1 does not allow, and interim responses. */
@Timeout(60)
class BrokenResponseTest extends ExecutorFixture {

    @Test
    void failsAfterTooManyInterimResponses() {
        ScriptedServer server = server(connection -> {
            connection.read();
            while (true) {
                connection.send("HTTP/1.1 102 Processing\n\n");
            }
        });
        HttpResult.Failure failure = executor().failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
    }

    /** Some targets report the progress of a long call. */
    @Test
    void acceptsHundredsOfInterimResponses() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 102 Processing\n\n".repeat(500) + OK));
        assertThat(executor().response(get(server.port(), "/")).status()).isEqualTo(200);
    }

    @Test
    void rejectsAProtocolSwitch() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\nConnection: upgrade\n\nxx");
            connection.awaitClose();
        });
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }

    /** Rows that the table of {@link ResponseAcceptanceTest} does not have. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\n\n",
                "HTTP/1.1 20 0 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\nTransfer-Encoding: chunked\n\n0\n\n",
                "HTTP/1.1 200 OK\nTransfer-Encoding: identity\nTransfer-Encoding: gzip\nContent-Length: 2\n\nok"
            })
    void failsWithProtocolErrorForAnInvalidResponse(String invalid) {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send(invalid);
            connection.awaitClose();
        });
        TestExecutor executor = executor();

        assertThat(executor.failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        executor.awaitNoConnections();
    }

    @Test
    void limitsTheNumberOfResponseHeaders() {
        String headers =
                IntStream.range(0, 255).mapToObj(i -> "h" + i + ": v\n").collect(Collectors.joining());
        ScriptedServer allowed = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 0\n" + headers + "\n"));
        ScriptedServer tooMany = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 0\nx: y\n" + headers + "\n"));
        TestExecutor executor = executor();

        assertThat(executor.response(get(allowed.port(), "/")).headers()).hasSize(256);
        HttpResult.Failure failure = executor.failure(get(tooMany.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(failure.message()).contains("256 headers").contains("http.max-response-header-count");
    }

    @Test
    void limitsTheSizeOfResponseHeaders() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\n");
            while (true) {
                connection.send("X-More: and more\n");
            }
        });
        assertThat(executor().failure(get(server.port(), "/")).code()).isEqualTo(ErrorCode.PROTOCOL_ERROR);
    }
}
