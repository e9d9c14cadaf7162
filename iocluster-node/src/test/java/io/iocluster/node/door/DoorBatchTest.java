package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** The limits of batches. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorBatchTest {

    private DoorFixture door;

    @BeforeAll
    void start() {
        door = new DoorFixture("limits: {max-body: 1KiB}");
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @Test
    void aBatchMayBeLargerThanOneBody() {
        String lines =
                IntStream.range(0, 100).mapToObj(i -> door.envelope("/ok")).collect(Collectors.joining("\n"));

        HttpResponse<String> response = batch(lines);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(answers(response))
                .hasSize(100)
                .allSatisfy(line -> assertThat(line.path("status").asInt()).isEqualTo(200));
    }

    @Test
    void theLinesBeforeOneThatIsTooLongAreAnswered() {
        String line = door.envelope("/ok");

        List<JsonNode> answers = answers(batch(line + "\n" + line + "\n" + " ".repeat(1_500) + "\n" + line));

        assertThat(answers).hasSize(3);
        assertThat(answers.stream().filter(each -> each.path("status").asInt() == 200))
                .hasSize(2);
        assertThat(answers).anySatisfy(each -> {
            assertThat(each.path("line").asInt()).isEqualTo(3);
            assertThat(each.at("/problem/code").asString("")).isEqualTo("request-too-large");
        });
    }

    @Test
    void aLineIsCountedAsItArrivedAndAsItWasRead() {
        String line = "{\"method\": \"POST\", \"url\": \"" + door.target.url("/held?id=counted") + "\", \"body\": \""
                + "x".repeat(700) + "\"}";

        CompletableFuture<HttpResponse<String>> held = CompletableFuture.supplyAsync(() -> batch(line));
        await().until(() -> bodyBytes() > 2 * 700);
        door.target.releaseHeld();

        assertThat(answers(held.join())).hasSize(1);
        await().until(() -> bodyBytes() == 0);
    }

    @Test
    void aBatchHoldsOnlyWhatHasArrived() throws Exception {
        try (Socket batch = openBatch(door, "")) {
            assertThat(bodyBytes()).isZero();

            batch.getOutputStream().write(chunk(" ".repeat(100)));

            await().until(() -> bodyBytes() == 100);
        }
        await().until(() -> bodyBytes() == 0);
    }

    @Test
    void aLineThatDoesNotArriveInTimeEndsTheBatch() throws Exception {
        try (DoorFixture fast = new DoorFixture("limits: {body-timeout: 300ms}");
                Socket batch = openBatch(fast, fast.envelope("/ok") + "\n{\"url\"")) {
            String response = new String(batch.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(response).contains("\"status\":200", "\"line\":2", "request-timeout");
        }
    }

    @Test
    void aBatchWaitsWhileItsAppIsOverItsRate() {
        try (DoorFixture limited = new DoorFixture("apps: [{name: slow, rate: 50/s}]")) {
            List<JsonNode> answers = answers(batch(limited, lines(limited, 15), "IOCluster-App", "slow"));

            assertThat(answers)
                    .hasSize(15)
                    .allSatisfy(line -> assertThat(line.path("status").asInt()).isEqualTo(200));
        }
    }

    @Test
    void aBatchWaitsWhileTheDoorIsFull() {
        try (DoorFixture small = new DoorFixture("limits: {max-in-flight: 2}")) {
            assertThat(answers(batch(small, lines(small, 15))))
                    .hasSize(15)
                    .allSatisfy(line -> assertThat(line.path("status").asInt()).isEqualTo(200));
        }
    }

    @Test
    void aLineThatWaitsForALimitEndsAtItsDeadline() {
        try (DoorFixture limited = new DoorFixture("apps: [{name: slow, rate: 1/h}]")) {
            String second = "{\"url\": \"" + limited.target.url("/ok") + "\", \"deadlineMs\": 200}";

            List<JsonNode> answers =
                    answers(batch(limited, limited.envelope("/ok") + "\n" + second, "IOCluster-App", "slow"));

            assertThat(answers).hasSize(2).anySatisfy(line -> {
                assertThat(line.path("line").asInt()).isEqualTo(2);
                assertThat(line.at("/problem/code").asString("")).isEqualTo("app-over-quota");
            });
        }
    }

    private static Socket openBatch(DoorFixture door, String body) throws IOException {
        Socket batch = new Socket("127.0.0.1", door.door.address().getPort());
        batch.setSoTimeout(60_000);
        batch.getOutputStream()
                .write(("POST /v1/calls:batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
                                + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        if (!body.isEmpty()) {
            batch.getOutputStream().write(chunk(body));
        }
        return batch;
    }

    private static byte[] chunk(String text) {
        return (Integer.toHexString(text.length()) + "\r\n" + text + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static String lines(DoorFixture door, int count) {
        return IntStream.range(0, count).mapToObj(i -> door.envelope("/ok")).collect(Collectors.joining("\n"));
    }

    private double bodyBytes() {
        return door.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("iocluster_door_body_bytes "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    private HttpResponse<String> batch(String lines) {
        return batch(door, lines);
    }

    private static HttpResponse<String> batch(DoorFixture door, String lines, String... headers) {
        return door.call("POST", "/v1/calls:batch", "application/x-ndjson", lines, headers);
    }

    private static List<JsonNode> answers(HttpResponse<String> response) {
        return response.body().lines().map(DoorFixture::json).toList();
    }
}
