package io.iocluster.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoTest {

    private final FakeDemoBroker broker = new FakeDemoBroker();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void printsASummaryOfTheAnswers() throws Exception {
        assertThat(send(500)).isTrue();

        assertThat(broker.requests())
                .hasSize(500)
                .first()
                .isEqualTo("{\"id\":\"demo-0\",\"url\":\"http://target/ok\"}");
        assertThat(out.toString(StandardCharsets.UTF_8).lines().toList())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("answered   500"),
                        line -> assertThat(line).isEqualTo("failed     0"),
                        line -> assertThat(line).matches("calls/s    [\\d,]+"),
                        line -> assertThat(line).isEqualTo("p50        2.0 ms"),
                        line -> assertThat(line).isEqualTo("p99        2.0 ms"));
    }

    @Test
    void failsWhenOneCallFailed() throws Exception {
        broker.respondWith(id -> "{\"id\":\"" + id + "\",\"outcome\":\"" + (id.equals("demo-7") ? "failed" : "answered")
                + "\",\"status\":200}");

        assertThat(send(10)).isFalse();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("answered   9", "failed     1");
    }

    @Test
    void countsADuplicateAnswerOnce() throws Exception {
        broker.respondWith(id -> "{\"id\":\"demo-0\",\"outcome\":\"answered\",\"status\":200}");

        assertThat(send(2, Duration.ofSeconds(3))).isFalse();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("answered   1", "no answer  1");
    }

    private boolean send(int requests) throws Exception {
        return send(requests, Duration.ofSeconds(60));
    }

    private boolean send(int requests, Duration timeout) throws Exception {
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(
                InputStream.nullInputStream(),
                print,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false);
        DemoEnvironment environment =
                new DemoEnvironment("transport: kafka", "broker:9092", "http://target/ok", () -> {});
        try (Demo demo = new Demo(terminal, environment, broker)) {
            return demo.send(requests, timeout);
        }
    }
}
