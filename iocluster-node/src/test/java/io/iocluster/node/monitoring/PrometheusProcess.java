package io.iocluster.node.monitoring;

import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Prometheus with the files of {@code docker/prometheus} except addresses and times. Owned by one test class. */
public final class PrometheusProcess implements AutoCloseable {

    /** The shipped files. */
    public static final Path FILES = Path.of(System.getProperty("basedir", ".")).resolve("../docker/prometheus");

    private static final String ADDRESS = "['127.0.0.1:8080']";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final TempDirectory folder = new TempDirectory("prometheus");
    private final NativeProcess process;
    private final String url;

    private PrometheusProcess(List<String> targets, Map<String, String> otherJobs) throws IOException {
        String configuration = Files.readString(FILES.resolve("prometheus.yaml"));
        if (!configuration.contains(ADDRESS) || !configuration.contains(": 15s")) {
            throw new IllegalStateException("the configuration has other addresses or times:\n" + configuration);
        }
        Path file = Files.writeString(
                folder.resolve("prometheus.yaml"),
                configuration.replace(": 15s", ": 1s").replace(ADDRESS, targets.toString()) + jobs(otherJobs));
        Files.copy(FILES.resolve("iocluster.rules.yaml"), folder.resolve("iocluster.rules.yaml"));
        int port = FreePorts.find(1)[0];
        url = "http://127.0.0.1:" + port;
        process = NativeProcess.start(new NativeCommand(
                List.of(
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port),
                Map.of(),
                folder.resolve("prometheus.log")));
    }

    private static String jobs(Map<String, String> jobs) {
        return jobs.entrySet().stream()
                .map(job -> "  - job_name: " + job.getKey() + "\n    static_configs: [{targets: ['" + job.getValue()
                        + "']}]\n")
                .collect(Collectors.joining());
    }

    /** Starts Prometheus, which scrapes one cluster, and waits until it is ready. */
    public static PrometheusProcess start(List<String> targets) throws IOException {
        return start(targets, Map.of());
    }

    /**
     * Starts Prometheus and waits until it is ready.
     *
     * @param targets addresses to scrape every second, as {@code host:port}
     * @param otherJobs the names of further jobs, with the target of each
     */
    public static PrometheusProcess start(List<String> targets, Map<String, String> otherJobs) throws IOException {
        PrometheusProcess prometheus = new PrometheusProcess(targets, otherJobs);
        await().failFast(() -> {
                    if (!prometheus.process.isAlive()) {
                        throw new AssertionError("Prometheus ended:\n" + prometheus.process.logTail(40));
                    }
                })
                .until(prometheus::isReady);
        return prometheus;
    }

    private boolean isReady() throws InterruptedException {
        try {
            return CLIENT.send(
                                    HttpRequest.newBuilder(URI.create(url + "/-/ready"))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Evaluates the expression now. Returns a list of series, each with {@code metric} and {@code value}. */
    public JsonNode query(String expression) {
        return get("/api/v1/query?query=" + encode(expression)).get("result");
    }

    /** Evaluates the expression now, and returns the series whose value is a number. */
    public List<JsonNode> numbers(String expression) {
        return query(expression)
                .valueStream()
                .filter(series -> !series.get("value").get(1).asString().equals("NaN"))
                .toList();
    }

    /** Returns the values of a label in these series. */
    public JsonNode labelValues(String label, String series) {
        return get("/api/v1/label/" + label + "/values?match%5B%5D=" + encode(series));
    }

    /** Returns all rules, each with its {@code name}, {@code health} and {@code lastError}. */
    public List<JsonNode> rules() {
        return get("/api/v1/rules")
                .get("groups")
                .valueStream()
                .flatMap(group -> group.get("rules").valueStream())
                .toList();
    }

    private JsonNode get(String path) {
        try {
            URI uri = URI.create(url + path);
            JsonNode answer = JsonMapper.shared()
                    .readTree(CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                            .body());
            if (!answer.path("status").asString("").equals("success")) {
                throw new AssertionError(path + ": " + answer);
            }
            return answer.get("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.kill();
        folder.close();
    }
}
