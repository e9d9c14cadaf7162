package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.door.Door;
import io.iocluster.door.DoorEnvironment;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.http.DoorPages;
import io.iocluster.door.status.DoorInfo;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that no node sends, but everyone who may write to the answer topic. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvalidAnswersTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private final SameAnswer calls = new SameAnswer();
    private Door door;

    @BeforeAll
    void start() throws IOException {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load("door: {port: 0}", Path.of("."))
                .settings();
        DoorEnvironment environment = new DoorEnvironment(
                new DoorInfo("door-1", "1", "kafka"),
                1,
                1,
                new DoorPages(accept -> null, name -> null),
                Platform.system());
        door = Door.start(settings.door(), calls, environment);
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no JSON",
                "[]",
                "{\"id\":\"a\"}",
                "{\"outcome\":\"failed\"}",
                "{\"outcome\":\"rejected\",\"error\":{\"message\":\"no code\"}}",
                "{\"outcome\":\"failed\",\"error\":{\"code\":\"a\\r\\nb: c\"}}",
                "{\"outcome\":\"rejected\",\"error\":{\"code\":\"a\\r\\nb: c\",\"message\":\"m\",\"sent\":\"no\"}}"
            })
    void aForwardedRequestWithAnInvalidAnswerGets502(String answer) throws Exception {
        calls.answer = answer;

        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + door.address().getPort() + "/v1/forward/http://target.example/"))
                        .build(),
                BodyHandlers.ofString());

        assertThat(response.statusCode()).as(response.body()).isEqualTo(502);
        assertThat(DoorFixture.code(response)).isEqualTo("invalid-answer");
        assertThat(response.headers().firstValue("IOCluster-Id")).isPresent();
    }

    /** The calls of this test end before the response. */
    @Test
    void anAsynchronousCallIsAcceptedEvenIfItHasAlreadyEnded() throws Exception {
        calls.answer = "{\"id\":\"ended\",\"outcome\":\"answered\",\"status\":204}";
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + door.address().getPort() + "/v1/calls"))
                .header("Content-Type", "application/json")
                .header("Prefer", "respond-async")
                .header("IOCluster-App", "shop")
                .POST(BodyPublishers.ofString("{\"id\": \"ended\", \"url\": \"http://target.example/\"}"))
                .build();

        HttpResponse<String> accepted = client.send(request, BodyHandlers.ofString());

        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
        assertThat(DoorFixture.json(accepted).path("id").asString("")).isEqualTo("ended");
        assertThat(get("/v1/calls/ended", "shop").body()).isEqualTo(calls.answer);
    }

    @Test
    void aForwardedRequestWithAnInvalidAnswerIsCountedForItsApp() throws Exception {
        calls.answer = "no JSON";
        get("/v1/forward/http://target.example/", "shop");

        await().until(() -> get("/v1/status", "ops")
                .body()
                .replaceAll("\\s", "")
                .contains("\"code\":\"invalid-answer\",\"recent\":1"));
    }

    private HttpResponse<String> get(String path, String app) throws Exception {
        return client.send(
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + door.address().getPort() + path))
                        .header("IOCluster-App", app)
                        .build(),
                BodyHandlers.ofString());
    }

    /** Returns the same answer to each call. */
    private static final class SameAnswer implements Calls {

        private volatile String answer;

        @Override
        public CompletionStage<CallResult> call(DoorCall call) {
            return CompletableFuture.completedFuture(CallResult.of(answer.getBytes(StandardCharsets.UTF_8), null));
        }

        @Override
        public String problem() {
            return null;
        }

        @Override
        public void close(Duration timeout) {}
    }
}
