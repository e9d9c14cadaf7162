package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.target.ScriptedServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how much of a response body is stored, and in which form. */
@Timeout(60)
class ResponseBodyTest extends ExecutorFixture {

    @Test
    void truncatesALongBodyAndClosesTheConnection() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n");
            while (true) {
                connection.send("400\n" + "x".repeat(1024) + "\n");
            }
        });
        TestExecutor executor = executor(settings(0, new DataSize(100_000), Duration.ofSeconds(3)));
        HttpResult.Response response = executor.response(get(server.port(), "/"));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.truncated()).isTrue();
        assertThat(response.body()).hasSize(100_000).containsOnly((byte) 'x');
        executor.awaitNoConnections();
    }

    @Test
    void doesNotTruncateABodyOfExactlyTheLimit() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        HttpResult.Response response =
                executor(settings(0, new DataSize(10), Duration.ofSeconds(3))).response(get(server.port(), "/"));
        assertThat(response.truncated()).isFalse();
        assertThat(text(response)).isEqualTo("0123456789");
        response = executor(settings(0, new DataSize(9), Duration.ofSeconds(3))).response(get(server.port(), "/"));
        assertThat(response.truncated()).isTrue();
        assertThat(text(response)).isEqualTo("012345678");
    }

    @Test
    void failsForALongBodyIfConfigured() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        HttpSettings nine = settings(0, new DataSize(9), BodyTooLargePolicy.FAIL, Duration.ofSeconds(3));
        HttpResult.Failure failure = executor(nine).failure(get(server.port(), "/"));
        assertThat(failure.code()).isEqualTo(ErrorCode.RESPONSE_TOO_LARGE);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        HttpSettings ten = settings(0, new DataSize(10), BodyTooLargePolicy.FAIL, Duration.ofSeconds(3));
        assertThat(text(executor(ten).response(get(server.port(), "/")))).isEqualTo("0123456789");
    }

    @Test
    void failsIfTheBudgetIsExhausted() {
        ScriptedServer server = server(respondingWith("HTTP/1.1 200 OK\nContent-Length: 10\n\n0123456789"));
        TestExecutor executor = executor();
        HttpResult.Failure failure =
                TestExecutor.failure(executor.call(get(server.port(), "/"), Duration.ofSeconds(5), bytes -> false)
                        .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.OUT_OF_MEMORY_BUDGET);
        assertThat(failure.sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(text(executor.response(get(server.port(), "/")))).isEqualTo("0123456789");
    }

    @Test
    void doesNotAllocateALargeAnnouncedLength() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nContent-Length: 1000000\n\nx");
        });
        AtomicInteger reserved = new AtomicInteger();
        TestExecutor.failure(executor()
                .call(get(server.port(), "/"), Duration.ofSeconds(5), bytes -> reserved.addAndGet(bytes) > 0)
                .join());
        assertThat(reserved).hasValueLessThan(10);
    }
}
