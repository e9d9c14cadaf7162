package io.iocluster.node.fault;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Outcome;
import io.iocluster.node.CallExchange;
import io.iocluster.node.CallExchange.TimedAnswer;
import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests calls to a destination that is down for longer than its calls may wait, next to calls to a healthy one. */
class DestinationOutageIT {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final long DEADLINE_MILLIS = 5_000;
    /** Tolerance for the end of a call on a machine that is busy with other tests. */
    private static final long SLACK_MILLIS = 60_000;

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final int EVERY_MILLIS = 20;
    private static final int BUDGET_PERCENT = 5;
    private static final String SETTINGS = """
            destination-defaults:
              max-in-flight: 20
              retry: {base-delay: 50ms, budget: {percent: %d, min-per-second: 0}}
              breaker: {window-size: 40, minimum-calls: 40, open-duration: 500ms, max-open-duration: 1s, half-open-calls: 3}
            %s
            """.formatted(BUDGET_PERCENT, ColdNode.LONG_TIMEOUTS);

    private final KafkaNodeFixture fixture = new KafkaNodeFixture(1, Map.of());
    private final TargetServer failing = TargetServer.start();
    private final CallExchange exchange = new CallExchange(fixture);
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger rounds = new AtomicInteger();
    /** True after the outage. Calls then have no deadline of five seconds, because a busy machine may be slow. */
    private volatile boolean recovered;

    private RunningNode node;

    @AfterEach
    void clear() {
        sender.shutdownNow();
        exchange.close();
        failing.close();
        fixture.close();
    }

    @Test
    void callsEndByTheirDeadlineAndTheBreakerClosesAgainAfterAnOutage() throws Exception {
        node = fixture.startInProcess("node-1", "none", SETTINGS).awaitReady();
        exchange.ask("hello", "'url': '" + fixture.target.url("/ok") + "'");
        sender.scheduleAtFixedRate(this::sendToBoth, 0, EVERY_MILLIS, MILLISECONDS);
        awaitRounds(100);
        assertThat(breaker()).isEqualTo("closed");

        request(failing.url("/service/down"));
        awaitBreaker("open");
        awaitOneExpired();
        assertThat(status().at("/lastError/reason").asString()).isNotEmpty();
        request(failing.url("/service/up"));
        awaitBreaker("closed");
        recovered = true;
        int firstAfter = rounds.get();
        awaitRounds(firstAfter + 50);
        sender.shutdown();
        assertThat(sender.awaitTermination(LONG.toSeconds(), SECONDS)).isTrue();
        await().atMost(LONG).until(() -> exchange.answers().size() == exchange.sent());
        JsonNode left = status();

        assertThat(left.get("waiting").asInt()).isZero();
        assertThat(left.get("inFlight").asInt()).isZero();
        assertThat(node.terminate(LONG)).as(node.log()).isZero();
        Map<String, TimedAnswer> answers = exchange.answers();
        assertThat(answers).hasSize(exchange.sent());
        assertAllSucceeded(of("healthy", 0, answers));
        assertNotDelayedByTheOutage(of("healthy", 0, answers));
        assertAllSucceeded(of("failing", firstAfter, answers));
        assertEndedInTimeAfterFewRetries(
                of("failing", 0, answers), left.get("retryBudgetExhausted").asInt());
    }

    private static void assertAllSucceeded(List<TimedAnswer> answers) {
        assertThat(answers)
                .isNotEmpty()
                .allMatch(answer ->
                        answer.answer().status() == 200 && answer.answer().attempts() == 1);
    }

    /** The median, because a busy machine delays some calls for longer. */
    private static void assertNotDelayedByTheOutage(List<TimedAnswer> answers) {
        long[] millis =
                answers.stream().mapToLong(TimedAnswer::afterMillis).sorted().toArray();
        assertThat(millis[millis.length / 2]).isLessThan(DEADLINE_MILLIS);
    }

    private void assertEndedInTimeAfterFewRetries(List<TimedAnswer> answers, int refused) {
        long slowest =
                answers.stream().mapToLong(TimedAnswer::afterMillis).max().orElseThrow();
        int retries = answers.stream()
                .mapToInt(answer -> Math.max(0, answer.answer().attempts() - 1))
                .sum();
        int allowed = answers.size() * BUDGET_PERCENT / 100;
        System.out.printf(
                "an outage: %d calls, %d expired, the slowest after %d ms; %d retries of at most %d, %d refused%n",
                answers.size(),
                answers.stream().filter(DestinationOutageIT::isExpired).count(),
                slowest,
                retries,
                allowed,
                refused);
        assertThat(slowest).isLessThan(DEADLINE_MILLIS + SLACK_MILLIS);
        assertThat(retries).isBetween(1, allowed);
        assertThat(refused).isPositive();
        assertThat(failing.requestLog().counts().values().stream()
                        .mapToInt(count -> count - 1)
                        .sum())
                .isEqualTo(retries);
    }

    /** Returns the answers to the calls to one target, from a round on. */
    private List<TimedAnswer> of(String target, int firstRound, Map<String, TimedAnswer> answers) {
        return IntStream.range(firstRound, rounds.get())
                .mapToObj(round -> answers.get(target + "-" + round))
                .toList();
    }

    private static boolean isExpired(TimedAnswer answer) {
        return answer.answer().outcome() == Outcome.EXPIRED;
    }

    private void sendToBoth() {
        int round = rounds.getAndIncrement();
        send("healthy-" + round, fixture.target, "");
        send("failing-" + round, failing, recovered ? "" : "'deadlineMs': " + DEADLINE_MILLIS + ", ");
    }

    private void send(String id, TargetServer target, String deadline) {
        try {
            exchange.send(id, deadline + "'url': '" + target.url("/service?id=" + id) + "'");
        } catch (Exception e) {
            throw new AssertionError(id, e);
        }
    }

    private void awaitRounds(int count) {
        await().atMost(LONG).until(() -> rounds.get() >= count);
    }

    private void awaitBreaker(String state) {
        await().atMost(LONG).until(() -> breaker().equals(state));
    }

    private String breaker() throws IOException, InterruptedException {
        return status().get("breaker").asString();
    }

    /** Returns the failing destination's entry of {@code /api/destinations}. */
    private JsonNode status() throws IOException, InterruptedException {
        JsonNode all = JSON.readTree(node.get("/api/destinations").body()).get("destinations");
        return StreamSupport.stream(all.spliterator(), false)
                .filter(each -> each.get("name").asString().equals("127.0.0.1:" + failing.port()))
                .findFirst()
                .orElseThrow();
    }

    private void awaitOneExpired() {
        await().atMost(LONG).until(() -> exchange.answers().values().stream().anyMatch(DestinationOutageIT::isExpired));
    }

    private static void request(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }
}
