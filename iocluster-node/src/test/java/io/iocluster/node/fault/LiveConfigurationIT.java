package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Edits the configuration at 1,000 calls per second, and checks that it applies and that no call is lost or duplicated. */
class LiveConfigurationIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int BATCH = 100;
    private static final long TURN_MILLIS = 100;

    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger sent = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private KafkaNodeFixture fixture;
    private RequestSender requests;
    private AnswerRecorder answers;
    private Path file;
    private RunningNode node;
    private String admin;

    @BeforeEach
    void startFixture() {
        fixture = new KafkaNodeFixture(12, Map.of());
        requests = new RequestSender(fixture.broker.bootstrapServers(), KafkaNodeFixture.REQUESTS);
        answers = AnswerRecorder.of(fixture.settings());
        file = fixture.configure("node-1", "none", "workers: {threads: 1, max-in-flight: 50}");
        node = fixture.startInProcess(file).awaitReady();
        admin = node.adminUrl();
    }

    @AfterEach
    void clear() {
        sender.shutdownNow();
        answers.close();
        requests.close();
        fixture.close();
    }

    @Test
    void appliesChangesUnderLoadAndLosesOrRepeatsNoCall() throws Exception {
        String first = Files.readString(file);
        long start = System.nanoTime();
        sender.scheduleAtFixedRate(this::send, 0, TURN_MILLIS, TimeUnit.MILLISECONDS);
        await().until(() -> fixture.target.requestLog().peakOpen() == 50);

        patch("{\"threads\": 4, \"max-in-flight\": 600}");
        Duration byHand = until(status -> isSized(status, 4, 600) && differs(status));
        patch("{\"threads\": 1, \"max-in-flight\": 50}");
        until(status -> isSized(status, 1, 50));

        write(first.replace("threads: 1, max-in-flight: 50", "threads: 4, max-in-flight: 600"));
        Duration byFile = until(status -> isSized(status, 4, 600) && !differs(status));
        await().until(() -> fixture.target.requestLog().open() > 150);
        String before = status().at("/workers/0/name").asString();

        String wide = Files.readString(file);
        write(wide.replace("600", "0").replace("threads: 4", "thread: 4"));
        Duration refused = until(status ->
                status.at("/configuration/lastReload/result").asString("").equals("refused"));
        assertThat(status().at("/configuration/lastReload/errors")).hasSize(2);
        assertThat(isSized(status(), 4, 600)).isTrue();
        assertThat(node.get("/metrics").body())
                .contains("iocluster_config_differs 1.0", "iocluster_config_reloads_total{result=\"refused\"} 1.0");

        // The file is valid again and changes connection settings, so each worker is replaced.
        write(wide + "http: {idle-timeout: 5s}\n");
        until(status -> !differs(status) && isSized(status, 4, 600));
        assertThat(status().at("/workers/0/name").asString()).isNotEqualTo(before);
        sender.shutdown();
        assertThat(sender.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        long aSecond = sent.get() * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
        answers.awaitIds(sent.get(), node);

        System.out.printf(
                "%d calls, %d a second; by hand %s, by file %s, refused %s%n",
                sent.get(), aSecond, byHand, byFile, refused);
        assertThat(answers.notAnswered()).isEmpty();
        assertThat(answers.duplicates()).isZero();
        assertThat(fixture.target.requestLog().counts()).hasSize(sent.get());
        assertThat(fixture.target.requestLog().requests()).isEqualTo(sent.get());
    }

    private void send() {
        int from = sent.get();
        requests.send(from, from + BATCH, i -> null, i -> fixture.target.url("/delay?ms=100&id=" + i));
        sent.addAndGet(BATCH);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    /** Waits for a status and returns the time that it took. */
    private Duration until(Predicate<JsonNode> wanted) {
        long start = System.nanoTime();
        await().pollInterval(Duration.ofMillis(50))
                .failFast("the node exited", () -> !node.isAlive())
                .until(() -> wanted.test(status()));
        return Duration.ofMillis((System.nanoTime() - start) / 1_000_000);
    }

    private JsonNode status() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(admin + "/api/status")).build();
        return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
    }

    private static boolean isSized(JsonNode status, int threads, int maxInFlight) {
        return status.get("workers").size() == threads
                && status.get("inFlightLimit").asInt() == maxInFlight;
    }

    private static boolean differs(JsonNode status) {
        return status.at("/configuration/differs").asBoolean();
    }

    private void patch(String workers) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin + "/api/workers"))
                .method("PATCH", BodyPublishers.ofString(workers))
                .header("Content-Type", "application/json")
                .build();
        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }
}
