package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
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
        String lines = IntStream.range(0, 100).mapToObj(i -> door.envelope("/ok")).collect(Collectors.joining("\n"));

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
        assertThat(answers.stream().filter(each -> each.path("status").asInt() == 200)).hasSize(2);
        assertThat(answers).anySatisfy(each -> {
            assertThat(each.path("line").asInt()).isEqualTo(3);
            assertThat(each.at("/problem/code").asString("")).isEqualTo("request-too-large");
        });
    }

    private HttpResponse<String> batch(String lines) {
        return door.call("POST", "/v1/calls:batch", "application/x-ndjson", lines);
    }

    private static List<JsonNode> answers(HttpResponse<String> response) {
        return response.body().lines().map(DoorFixture::json).toList();
    }
}
