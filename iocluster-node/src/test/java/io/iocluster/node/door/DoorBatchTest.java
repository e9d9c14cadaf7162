package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
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
        await().until(() -> bodyBytes() > 1_024 + 2 * 700);
        door.target.releaseHeld();

        assertThat(answers(held.join())).hasSize(1);
        await().until(() -> bodyBytes() == 0);
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
        return door.call("POST", "/v1/calls:batch", "application/x-ndjson", lines);
    }

    private static List<JsonNode> answers(HttpResponse<String> response) {
        return response.body().lines().map(DoorFixture::json).toList();
    }
}
