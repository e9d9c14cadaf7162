package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** Tests on a real Alertmanager which alerts the shipped configuration does not send, because another one is their cause. */
class AlertmanagerIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final int PORT = FreePorts.find(1)[0];
    private static TempDirectory folder;
    private static NativeProcess alertmanager;

    @BeforeAll
    static void startAlertmanager() {
        folder = new TempDirectory("alertmanager");
        alertmanager = NativeProcess.start(new NativeCommand(
                List.of(
                        "prometheus-alertmanager",
                        "--config.file=" + PrometheusProcess.FILES.resolve("alertmanager.yaml"),
                        "--storage.path=" + folder.resolve("data"),
                        "--cluster.listen-address=",
                        "--web.listen-address=127.0.0.1:" + PORT),
                Map.of(),
                folder.resolve("alertmanager.log")));
        await().failFast(() -> {
                    if (!alertmanager.isAlive()) {
                        throw new AssertionError("Alertmanager ended:\n" + alertmanager.logTail(40));
                    }
                })
                .until(AlertmanagerIT::isReady);
    }

    @AfterAll
    static void stopAlertmanager() {
        alertmanager.close();
        folder.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SevereProblem kind=destination-failing subject=partner   | CallsExpired subject=partner       | suppressed
            SevereProblem kind=destination-failing subject=partner   | CredentialRefused subject=partner  | suppressed
            Problem kind=destination-slow subject=partner            | CallsFailing subject=partner       | suppressed
            SevereProblem kind=destination-failing subject=partner   | CallsExpired subject=shop          | active
            SevereProblem kind=destination-failing subject=partner   | NodeDown instance=node-1           | active
            SevereProblem kind=broker-unreachable subject=kafka:9092 | CallsExpired subject=shop          | suppressed
            SevereProblem kind=broker-unreachable subject=kafka:9092 | NoNode                             | suppressed
            SevereProblem kind=broker-unreachable subject=kafka:9092 | DeadLetters code=delivery-limit    | active
            Problem kind=node-too-small                              | InFlightLimitReached               | suppressed
            Problem kind=node-too-small                              | OldestMessageTooOld queue=in       | active
            SevereProblem kind=node-too-small                        | OldestMessageTooOld queue=in       | suppressed
            SevereProblem kind=answers-not-published subject=answers | DeadLetters code=answer-not-published | suppressed
            SevereProblem kind=answers-not-published subject=answers | DeadLetters code=malformed-envelope | active
            Problem kind=app-dominates subject=billing               | CallsExpired subject=partner       | suppressed
            Problem kind=configuration-refused                       | CallsExpired subject=partner       | active
            OperatorAction kind=node-paused                          | LagWithIdleCapacity                | suppressed
            """)
    void sendsNoConsequenceOfAnAlertThatFires(String cause, String other, String state) throws Exception {
        // Alerts of different clusters do not meet.
        String job = cause + " | " + other;
        send(job, cause);
        send(job, other);

        await().untilAsserted(() ->
                assertThat(states(job)).containsEntry(name(cause), "active").containsEntry(name(other), state));
    }

    private static String name(String alert) {
        return "IOCluster" + alert.split(" ")[0];
    }

    private static void send(String job, String alert) throws Exception {
        ArrayNode alerts = JsonMapper.shared().createArrayNode();
        var labels = alerts.addObject().putObject("labels");
        labels.put("alertname", name(alert)).put("job", job);
        for (String label : alert.split(" ")) {
            if (label.contains("=")) {
                labels.put(label.substring(0, label.indexOf('=')), label.substring(label.indexOf('=') + 1));
            }
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + "/api/v2/alerts"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(alerts.toString()))
                .build();
        assertThat(CLIENT.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private static Map<String, String> states(String job) throws Exception {
        String filter = URLEncoder.encode("job=\"" + job + "\"", StandardCharsets.UTF_8);
        JsonNode alerts = JsonMapper.shared().readTree(get("/api/v2/alerts?filter=" + filter));
        return alerts.valueStream()
                .collect(Collectors.toMap(
                        each -> each.at("/labels/alertname").asString(),
                        each -> each.at("/status/state").asString()));
    }

    private static boolean isReady() throws InterruptedException {
        try {
            return get("/-/ready").contains("OK");
        } catch (IOException notYet) {
            return false;
        }
    }

    private static String get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + PORT + path);
        return CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }
}
