package io.iocluster.node.door;

import static io.iocluster.node.door.DoorFixture.code;
import static io.iocluster.node.door.DoorFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DoorCallsTest {

    private static final String NDJSON = "application/x-ndjson";

    private DoorFixture door;

    @BeforeAll
    void start() {
        door = new DoorFixture("answers: {max-wait: 20s}");
    }

    @AfterAll
    void stop() {
        door.close();
    }

    @Test
    void aCallReturnsItsAnswer() {
        HttpResponse<String> response =
                door.post("{\"id\": \"a-1\", \"url\": \"" + door.target.url("/ok") + "\", \"context\": {\"n\": 1}}");

        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode answer = json(response);
        assertThat(answer.path("id").asString("")).isEqualTo("a-1");
        assertThat(answer.path("outcome").asString("")).isEqualTo("answered");
        assertThat(answer.path("status").asInt()).isEqualTo(200);
        assertThat(answer.path("node").asString("")).isEqualTo("door-1");
        assertThat(answer.at("/context/n").asInt()).isEqualTo(1);
    }

    /** The door finds some of these mistakes, and the pipeline the others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "no JSON; 400; malformed-envelope",
                "{}; 400; invalid-url",
                "{\"url\": 5}; 400; invalid-envelope",
                "{\"url\": \"OK\", \"timeoutMS\": 1}; 400; unknown-field",
                "{\"url\": \"OK\", \"deadlineMs\": 0}; 400; invalid-timeout",
                "{\"url\": \"OK\", \"method\": \"BREW\"}; 400; invalid-method",
                "{\"url\": \"/relative\"}; 400; invalid-url",
                "{\"url\": \"OK\", \"headers\": {\"X Y\": \"1\"}}; 400; invalid-header",
                "{\"url\": \"OK\", \"headers\": {\"Host\": \"a\"}}; 400; forbidden-header",
                "{\"url\": \"OK\", \"auth\": \"none\"}; 400; unknown-credential",
                "{\"url\": \"OK\", \"replyTo\": \"a\"}; 400; invalid-envelope",
                "{\"url\": \"ftp://partner.example/\"}; 403; scheme-not-allowed",
                "{\"url\": \"http://169.254.169.254/\"}; 403; address-not-allowed"
            })
    void aRejectedCallIsAProblem(String envelope, int status, String code) {
        String body = envelope.replace("OK", door.target.url("/ok"));

        HttpResponse<String> response = door.post(body);
        HttpResponse<String> batch = door.call("POST", "/v1/calls:batch", NDJSON, body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(code(response)).isEqualTo(code);
        assertThat(response.headers().firstValue("IOCluster-Outcome")).contains("rejected");
        assertThat(response.headers().firstValue("IOCluster-Sent")).contains("no");
        assertThat(json(batch).path("line").asInt()).isEqualTo(1);
        assertThat(json(batch).at("/problem/status").asInt()).isEqualTo(status);
        assertThat(json(batch).at("/problem/code").asString("")).isEqualTo(code);
    }

    @Test
    void aRequestBodyThatIsTooLargeGets413InEachMode() {
        String body = "x".repeat(5_000);
        try (DoorFixture small = new DoorFixture("", "http: {max-request-body: 4KiB}\n")) {
            String envelope =
                    "{\"method\": \"POST\", \"url\": \"" + small.target.url("/ok") + "\", \"body\": \"" + body + "\"}";

            HttpResponse<String> call = small.post(envelope);
            HttpResponse<String> forwarded = small.forward("POST", "/ok", body);
            HttpResponse<String> accepted = small.post(envelope, "Prefer", "respond-async");
            String location = accepted.headers().firstValue("Location").orElseThrow();
            HttpResponse<String> later = small.get(location, "Prefer", "wait=10");

            assertThat(List.of(call, forwarded, later)).allSatisfy(response -> {
                assertThat(response.statusCode()).as(response.body()).isEqualTo(413);
                assertThat(code(response)).isEqualTo("request-too-large");
            });
        }
    }

    @Test
    void anExpiredCallThatWasNotTriedSaysWhatItWaitedFor() {
        try (DoorFixture paused = new DoorFixture("")) {
            paused.post("{\"retry\": {\"maxAttempts\": 1}, \"url\": \""
                    + paused.target.url("/flaky?id=p&failures=9&retry-after=60") + "\"}");

            JsonNode answer = json(paused.post("{\"url\": \"" + paused.target.url("/ok") + "\", \"deadlineMs\": 200}"));

            assertThat(answer.path("attempts").asInt()).isZero();
            assertThat(answer.at("/error/code").asString("")).isEqualTo("deadline-exceeded");
            assertThat(answer.at("/error/message").asString(""))
                    .startsWith("the deadline passed while the call waited for 127.0.0.1:")
                    .contains("with the Retry-After of an earlier response, it asked for no calls for another");
        }
    }

    @Test
    void aBatchNumbersItsAnswers() {
        String lines = door.envelope("/ok") + "\n\n" + door.envelope("/status?code=404") + "\n" + door.envelope("/ok");

        List<JsonNode> answers = door.call("POST", "/v1/calls:batch", NDJSON, lines)
                .body()
                .lines()
                .map(DoorFixture::json)
                .toList();

        assertThat(answers).extracting(each -> each.path("line").asInt()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(answers)
                .allSatisfy(each -> assertThat(each.path("status").asInt())
                        .isEqualTo(each.path("line").asInt() == 2 ? 404 : 200));
    }

    @Test
    void aCallEndsAtItsDeadline() {
        HttpResponse<String> response =
                door.post("{\"url\": \"" + door.target.url("/never") + "\", \"deadlineMs\": 200}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response).path("outcome").asString("")).isEqualTo("expired");
    }

    @Test
    void theTraceContextReachesTheTargetAndComesBack() {
        String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        HttpResponse<String> response = door.post(door.envelope("/echo"), "traceparent", trace);

        assertThat(json(response).path("body").asString("")).contains(trace);
        assertThat(response.headers().firstValue("traceparent")).contains(trace);
    }

    @Test
    void anInvalidTraceContextIsIgnoredAndCounted() {
        HttpResponse<String> response = door.post(door.envelope("/echo"), "traceparent", "00-not-valid-01");

        assertThat(response.statusCode()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(door.get("/metrics").body())
                .contains("iocluster_ignored_inputs_total{input=\"traceparent\"} 1.0"));
    }

    @Test
    void anAsynchronousCallIsPendingUntilItsAnswerIsThere() {
        String held = "{\"id\": \"async/1 x\", \"url\": \"" + door.target.url("/held") + "\"}";

        HttpResponse<String> accepted = door.post(held, "Prefer", "respond-async");

        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(json(accepted).path("id").asString("")).isEqualTo("async/1 x");
        String location = accepted.headers().firstValue("Location").orElseThrow();
        assertThat(door.get(location).statusCode()).isEqualTo(202);
        door.target.releaseHeld();
        HttpResponse<String> answer = door.get(location, "Prefer", "wait=10");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(json(answer).path("id").asString("")).isEqualTo("async/1 x");
        assertThat(code(door.post(held, "Prefer", "respond-async"))).isEqualTo("id-in-use");
    }

    @Test
    void anAsynchronousCallCanWaitFirst() {
        HttpResponse<String> answer = door.post(door.envelope("/ok"), "Prefer", "respond-async, wait=10");

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void theAnswersOfAnotherAppAreUnknown() {
        HttpResponse<String> accepted =
                door.post(door.envelope("/ok"), "Prefer", "respond-async", "IOCluster-App", "billing");
        String location = accepted.headers().firstValue("Location").orElseThrow();

        assertThat(code(door.get(location, "IOCluster-App", "other-app"))).isEqualTo("unknown-call");
        assertThat(door.get(location, "IOCluster-App", "billing", "Prefer", "wait=10")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aBatchAnswersEachLineAsItsCallEnds() {
        // A separate target, because a target holds no request after its first release.
        try (DoorFixture own = new DoorFixture("")) {
            String slow = "{\"id\": \"slow\", \"url\": \"" + own.target.url("/held") + "\"}";
            String fast = "{\"id\": \"fast\", \"url\": \"" + own.target.url("/ok") + "\"}";

            HttpResponse<Stream<String>> response = own.client()
                    .sendAsync(
                            own.request("/v1/calls:batch", "Content-Type", NDJSON)
                                    .POST(BodyPublishers.ofString(slow + "\n\n" + fast + "\r\n{\"url\": 5}"))
                                    .build(),
                            BodyHandlers.ofLines())
                    .join();
            Iterator<String> lines = response.body().iterator();
            List<JsonNode> first = List.of(json(lines.next()), json(lines.next()));
            own.target.releaseHeld();
            JsonNode last = json(lines.next());

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(first)
                    .anySatisfy(line -> assertThat(line.path("id").asString("")).isEqualTo("fast"))
                    .anySatisfy(line -> {
                        assertThat(line.path("line").asInt()).isEqualTo(3);
                        assertThat(line.at("/problem/code").asString("")).isEqualTo("invalid-envelope");
                    });
            assertThat(last.path("id").asString("")).isEqualTo("slow");
            // A door that kept the lines until the last call ends would have let it expire.
            assertThat(last.path("status").asInt()).isEqualTo(200);
            assertThat(lines.hasNext()).isFalse();
        }
    }

    @Test
    void aLargeBatchIsAnsweredCompletely() {
        String lines = IntStream.range(0, 1_000)
                .mapToObj(i -> "{\"id\": \"batch-" + i + "\", \"url\": \"" + door.target.url("/ok") + "\"}")
                .collect(Collectors.joining("\n"));

        HttpResponse<String> response = door.call("POST", "/v1/calls:batch", NDJSON, lines);

        assertThat(response.body().lines().map(line -> json(line).path("id").asString("")))
                .hasSize(1_000)
                .doesNotHaveDuplicates();
    }

    @Test
    void aStreamSendsTheAnswersOfItsAppAndContinuesAfterAnInterruption() {
        try (Stream<String> events = stream("-1")) {
            Iterator<String> lines = events.iterator();
            door.post("{\"id\": \"s-1\", \"url\": \"" + door.target.url("/ok") + "\"}", stream());
            String first = read(lines, "id: ");
            assertThat(read(lines, "data: ")).contains("\"s-1\"");
            door.post("{\"id\": \"s-2\", \"url\": \"" + door.target.url("/ok") + "\"}", stream());
            assertThat(read(lines, "data: ")).contains("\"s-2\"");

            try (Stream<String> again = stream(first.substring("id: ".length()))) {
                assertThat(read(again.iterator(), "data: ")).contains("\"s-2\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "999999999999999999"})
    void aStreamThatContinuesThatOfAnEarlierProcessSaysThatAnswersAreLost(String lastEventId) {
        try (Stream<String> events = stream(lastEventId)) {
            assertThat(read(events.iterator(), "event: ")).isEqualTo("event: lost");
        }
    }

    private static String[] stream() {
        return new String[] {"Prefer", "respond-async", "IOCluster-App", "streaming"};
    }

    private Stream<String> stream(String lastEventId) {
        var request = lastEventId.equals("-1")
                ? door.request("/v1/answers", "IOCluster-App", "streaming")
                : door.request("/v1/answers", "IOCluster-App", "streaming", "Last-Event-ID", lastEventId);
        return door.client()
                .sendAsync(request.build(), BodyHandlers.ofLines())
                .join()
                .body();
    }

    private static String read(Iterator<String> lines, String prefix) {
        while (true) {
            String line = lines.next();
            if (line.startsWith(prefix)) {
                return line;
            }
        }
    }

    @Test
    void theProbesAndTheMetricsAreOpen() {
        door.post(door.envelope("/ok"));

        assertThat(door.get("/livez").statusCode()).isEqualTo(200);
        assertThat(door.get("/readyz").statusCode()).isEqualTo(200);
        await().untilAsserted(() -> assertThat(door.get("/metrics").body())
                .contains("iocluster_door_requests_seconds_count{route=\"create-call\",status=\"2xx\"}")
                .contains("iocluster_door_in_flight 0.0")
                .contains("iocluster_attempts_total"));
    }

    @Test
    void theMetricsShowTheUpstreamsOfADestination() {
        String yaml = "destinations: [{match: replicas.example, upstreams: {addresses: [\"127.0.0.1:9\"]}}]\n";
        try (DoorFixture balanced = new DoorFixture("", yaml)) {
            assertThat(balanced.get("/metrics").body())
                    .contains("iocluster_upstream_out{")
                    .contains("upstream=\"127.0.0.1:9\"");
        }
    }

    @Test
    void aDrainingDoorEndsItsCallsAndRefusesFurtherOnes() throws Exception {
        try (DoorFixture draining = new DoorFixture("")) {
            CompletableFuture<HttpResponse<String>> held = draining.sendAsync(draining.request(DoorFixture.CALLS)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(draining.envelope("/held")))
                    .build());
            await().until(() -> draining.targetRequests() == 1);
            CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(() -> drain(draining));
            await().untilAsserted(() ->
                    assertThat(draining.get("/readyz").statusCode()).isEqualTo(503));

            HttpResponse<String> refused = draining.post(draining.envelope("/ok"));
            HttpResponse<String> notReady = draining.get("/readyz");
            draining.target.releaseHeld();

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(code(refused)).isEqualTo("draining");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(code(notReady)).isEqualTo("not-ready");
            assertThat(notReady.headers().firstValue("Retry-After")).isPresent();
            assertThat(held.join().statusCode()).isEqualTo(200);
            assertThat(drained.join()).isTrue();
        }
    }

    private static boolean drain(DoorFixture draining) {
        try {
            return draining.door.drain();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
