package io.iocluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Header;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Runs the test vectors that the clients of all languages share. Their README says what the steps mean. */
class SharedVectorsTest {

    private static final Path FOLDER =
            Path.of(System.getProperty("basedir", ".")).resolve("../clients/vectors");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final AnswerDecoder decoder = new AnswerDecoder();

    static Stream<Named<JsonNode>> answers() throws IOException {
        return vectors("answers.json");
    }

    static Stream<Named<JsonNode>> scenarios() throws IOException {
        return vectors("matching.json");
    }

    private static Stream<Named<JsonNode>> vectors(String file) throws IOException {
        JsonNode vectors = JSON.readTree(Files.readAllBytes(FOLDER.resolve(file)));
        return vectors.valueStream().map(each -> Named.of(each.get("name").asString(), each));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void readsAnAnswer(JsonNode vector) {
        byte[] payload = vector.has("text")
                ? vector.get("text").asString().getBytes(StandardCharsets.UTF_8)
                : JSON.writeValueAsBytes(vector.get("answer"));

        if (vector.has("invalid")) {
            assertThatThrownBy(() -> decoder.decode(payload)).isInstanceOf(IllegalArgumentException.class);
        } else {
            assertFields(decoder.decode(payload), vector.get("expect"));
        }
    }

    private static void assertFields(Answer answer, JsonNode expected) {
        expected.forEachEntry((name, value) -> {
            if (name.equals("results")) {
                assertThat(answer.results()).hasSize(value.size());
                for (int i = 0; i < value.size(); i++) {
                    assertFields(answer.results().get(i), value.get(i));
                }
            } else {
                JsonNode read = JSON.readTree(JSON.writeValueAsBytes(field(answer, name)));
                assertThat(read).as(name).isEqualTo(value);
            }
        });
    }

    /** Returns a field as the vectors write it. */
    private static Object field(Answer answer, String name) {
        return switch (name) {
            case "id" -> answer.id();
            case "outcome" -> answer.outcome().wireName();
            case "status" -> answer.status();
            case "headers" -> headers(answer);
            case "body" -> answer.text();
            case "bodyBase64" -> Base64.getEncoder().encodeToString(answer.body());
            case "truncated" -> answer.truncated();
            case "unusable" -> answer.unusable();
            case "error" ->
                answer.error() == null
                        ? null
                        : Map.of(
                                "code", answer.error().code(),
                                "message", answer.error().message(),
                                "sent", answer.error().sent().wireName());
            case "attempts" -> answer.attempts();
            case "node" -> answer.node();
            case "timing" -> answer.timing();
            case "cache" -> answer.cache();
            case "branch" -> answer.branch() == Answer.NO_BRANCH ? null : answer.branch();
            case "context" -> JSON.readTree(answer.context());
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static ObjectNode headers(Answer answer) {
        ObjectNode headers = JSON.createObjectNode();
        for (Header header : answer.headers()) {
            ArrayNode values = headers.withArray("/" + header.name());
            values.add(header.value());
        }
        return headers;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void matchesAnswersToCalls(JsonNode vector) throws IOException {
        try (Scenario scenario = new Scenario(vector.path("maxOutstanding").asInt(1_000))) {
            vector.get("steps").forEach(scenario::run);
        }
    }

    /** The calls of one client. Its clock is that of the machine, so a call may end earlier than the vectors say. */
    private static final class Scenario implements AutoCloseable {

        private final FakeClientTransport queues = new FakeClientTransport();
        private final IoClusterClient cluster;
        private final Map<String, CompletableFuture<?>> calls = new HashMap<>();
        private final Map<String, CompletableFuture<PublishResult>> publishes = new HashMap<>();
        private boolean hasAdvanced;

        Scenario(int maxOutstanding) throws IOException {
            queues.confirm(request -> null);
            cluster = IoClusterClient.connect(
                    ClientConfig.forTransport(queues).withMaxOutstanding(maxOutstanding, ClientFullPolicy.FAIL));
        }

        void run(JsonNode step) {
            String name = step.propertyNames().iterator().next();
            JsonNode value = step.get(name);
            switch (name) {
                case "call", "enqueue" -> start(name.equals("call"), value.asString(), step);
                case "confirm" -> publishes.get(value.asString()).complete(PublishResult.CONFIRMED);
                case "refuse" ->
                    publishes
                            .get(value.asString())
                            .complete(
                                    step.get("sent").asString().equals("no")
                                            ? new PublishResult.TooLarge("for people")
                                            : new PublishResult.Failed("for people"));
                case "receive" -> queues.publish(JSON.writeValueAsString(value));
                case "receiveText" -> queues.publish(value.asString());
                case "advanceMs" -> hasAdvanced = true;
                case "close" -> cluster.close();
                case "outstanding" ->
                    await().untilAsserted(
                                    () -> assertThat(cluster.outstanding()).isEqualTo(value.asInt()));
                case "expect" -> expect(value.asString(), step);
                default -> throw new IllegalArgumentException(name);
            }
        }

        private void start(boolean isCall, String id, JsonNode step) {
            Request request = Request.get("http://h/")
                    .id(id)
                    .deadline(Duration.ofMillis(step.path("timeoutMs").asLong(60_000)))
                    .build();
            CompletableFuture<?> started =
                    (isCall ? cluster.call(request) : cluster.enqueue(request)).toCompletableFuture();
            if (step.has("failure")) {
                assertFailed(started, id, step);
            } else {
                calls.put(id, started);
                publishes.put(id, queues.confirmations.get(queues.confirmations.size() - 1));
            }
        }

        private void expect(String id, JsonNode step) {
            CompletableFuture<?> call = calls.get(id);
            if (step.has("pending")) {
                assertThat(call.isDone() && !hasAdvanced).isFalse();
            } else if (step.has("failure")) {
                assertFailed(call, id, step);
            } else if (step.has("enqueued")) {
                assertThat(call.orTimeout(1, TimeUnit.MINUTES).join()).isEqualTo(id);
            } else {
                Answer answer = (Answer) call.orTimeout(1, TimeUnit.MINUTES).join();
                assertThat(answer.status()).isEqualTo(step.path("status").asInt(answer.status()));
                assertThat(answer.outcome().wireName())
                        .isEqualTo(
                                step.path("outcome").asString(answer.outcome().wireName()));
            }
        }

        private static void assertFailed(CompletableFuture<?> call, String id, JsonNode step) {
            assertThatThrownBy(() -> call.orTimeout(1, TimeUnit.MINUTES).join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .satisfies(failure -> {
                        assertThat(failure)
                                .isInstanceOf(type(step.get("failure").asString()));
                        if (failure instanceof IoClusterException known) {
                            assertThat(known.id()).isEqualTo(id);
                            assertThat(known.sent().wireName())
                                    .isEqualTo(step.get("sent").asString());
                        }
                        if (failure instanceof CallTimeoutException late) {
                            assertThat(late.stage().name().toLowerCase(Locale.ROOT))
                                    .isEqualTo(step.get("stage").asString());
                        }
                    });
        }

        private static Class<? extends Exception> type(String failure) {
            return switch (failure) {
                case "timeout" -> CallTimeoutException.class;
                case "client-full" -> ClientFullException.class;
                case "client-closed" -> ClientClosedException.class;
                case "not-enqueued" -> NotEnqueuedException.class;
                case "unreadable-answer" -> UnreadableAnswerException.class;
                case "id-in-use" -> IllegalArgumentException.class;
                default -> throw new IllegalArgumentException(failure);
            };
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
