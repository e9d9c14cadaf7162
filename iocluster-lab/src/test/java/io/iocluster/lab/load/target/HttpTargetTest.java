package io.iocluster.lab.load.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.settings.StatusPattern;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.target.TargetServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpTargetTest {

    private final TargetServer server = TargetServer.start();
    private final HttpTarget target = new HttpTarget(2);

    @AfterEach
    void close() {
        target.close();
        server.close();
    }

    @Test
    void theCodeOfAnAnswerIsItsStatus() throws Exception {
        assertThat(code(server.url("/ok"))).isEqualTo("200 true");
        assertThat(code(server.url("/status?code=503"))).isEqualTo("503 false");
    }

    @Test
    void aCallWithoutAnAnswerEndsAtItsDeadline() throws Exception {
        assertThat(send(server.url("/delay?ms=60000"), Duration.ofMillis(100)).get(1, TimeUnit.MINUTES))
                .isEqualTo("timeout false");
    }

    @Test
    void aRefusedConnectionHasItsCode() throws Exception {
        assertThat(code("http://127.0.0.1:" + FreePorts.find(1)[0] + "/")).isEqualTo("connect-failed false");
    }

    @Test
    void aCallThatCannotBeMadeEndsAndTheNextOneIsMade() throws Exception {
        assertThat(code("no-scheme")).isEqualTo("generator-error false");
        assertThat(code("no-scheme")).isEqualTo("generator-error false");
        assertThat(code(server.url("/ok"))).isEqualTo("200 true");
    }

    @Test
    void callsBeyondTheMaximumAreNotSent() throws Exception {
        String held = server.url("/held");
        CompletableFuture<String> first = send(held, Duration.ofMinutes(1));
        CompletableFuture<String> second = send(held, Duration.ofMinutes(1));

        assertThat(code(held)).isEqualTo("client-full false");
        server.releaseHeld();
        assertThat(first.get(1, TimeUnit.MINUTES)).isEqualTo("200 true");
        assertThat(second.get(1, TimeUnit.MINUTES)).isEqualTo("200 true");
        assertThat(code(server.url("/ok"))).isEqualTo("200 true");
    }

    private String code(String url) throws Exception {
        return send(url, Duration.ofMinutes(1)).get(1, TimeUnit.MINUTES);
    }

    private CompletableFuture<String> send(String url, Duration deadline) {
        CompletableFuture<String> ended = new CompletableFuture<>();
        target.send(
                new CallSpec(
                        0,
                        "GET",
                        url,
                        List.of(),
                        null,
                        deadline,
                        Duration.ZERO,
                        0,
                        null,
                        null,
                        null,
                        Map.of(),
                        List.of(StatusPattern.parse("2xx"))),
                (code, success, timing) -> ended.complete(code + " " + success));
        return ended;
    }
}
