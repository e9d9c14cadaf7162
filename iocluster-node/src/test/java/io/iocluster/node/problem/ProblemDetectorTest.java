package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.ClusterLimits;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.limit.BreakerTrip;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.TestTuningStatuses;
import io.iocluster.node.problem.CodeCounts.Recently;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppStatus;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.upstream.UpstreamState;
import io.iocluster.upstream.UpstreamStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemDetectorTest {

    private static final Duration RECENTLY = Duration.ofSeconds(1);

    /** A node without problems. */
    private static final NodeSnapshot HEALTHY = new NodeSnapshot(
            TestStatuses.CONNECTED,
            "broker:9092",
            "answers",
            "dead-letters",
            TestStatuses.NO_FILE,
            List.of(),
            List.of(),
            Optional.empty(),
            List.of(),
            Set.of("billing"),
            List.of(),
            TestTuningStatuses.WITHOUT_DATA,
            CodeCounts.NONE);

    /** Returns the problems of the healthy node after these changes of its components. */
    private static List<Problem> detect(Object... changes) {
        return ProblemDetector.detect(RecordCopy.with(HEALTHY, changes));
    }

    private static List<Problem> ranked(Object... changes) {
        return Causes.withConsequences(detect(changes), Set.of());
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream()
                .map(each -> each.kind() + " " + each.severity() + " " + each.subject() + ": " + each.text() + " "
                        + each.action())
                .toList();
    }

    static Stream<Arguments> nodes() {
        PipelineStatus running = TestStatuses.CONNECTED;
        return Stream.of(
                arguments(
                        paused(false),
                        "BROKER_UNREACHABLE BAD broker:9092: The broker (kafka at broker:9092) cannot be reached: connection"
                                + " refused. No message is read. The node connects again by itself. Check that the broker runs, and that this machine reaches its address."),
                arguments(
                        paused(true, PauseReason.OPERATOR),
                        "NODE_PAUSED WARN : An operator paused the node (POST /api/pause). It reads no messages. Resume it"
                                + " when the reason for the pause is gone."),
                arguments(
                        paused(true, PauseReason.BROKER_BLOCKED),
                        "BROKER_BLOCKED BAD : The broker paused the node, because it is short of memory or disk. Free"
                                + " memory or disk on the broker."),
                arguments(
                        paused(true, PauseReason.BACKOFF),
                        "ANSWERS_NOT_PUBLISHED BAD : The node paused itself, because its answers cannot be published. Read"
                                + " the log: it names the topic or queue, and the reason."),
                arguments(
                        RecordCopy.with(running, "stuck", true),
                        "NODE_STUCK BAD : The node is full, and no call has ended within workers.progress-timeout. Read the"
                                + " log. If it does not recover, save a thread dump and restart the node."),
                arguments(
                        RecordCopy.with(running, "state", PipelineState.DRAINING),
                        "NODE_STOPPING WARN : The node drains: it finishes 12 open calls and reads no messages. Restart its"
                                + " process to use it again."),
                arguments(
                        RecordCopy.with(running, "state", PipelineState.STOPPED),
                        "NODE_STOPPING WARN : The node has stopped after a drain and reads no messages. Restart its process"
                                + " to use it again."));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void findsTheProblemOfTheNode(PipelineStatus pipeline, String problem) {
        assertThat(texts(detect("pipeline", pipeline))).containsExactly(problem);
    }

    @Test
    void findsARefusedConfigurationUnlessTheNodeStops() {
        assertThat(texts(detect("configuration", TestStatuses.REFUSED)))
                .containsExactly(
                        "CONFIGURATION_REFUSED WARN : The edited configuration is refused: workers.threads must"
                                + " be from 0 to 1024: -1 Correct the file or the key in Consul. The node keeps its configuration,"
                                + " but could not start again.");
        PipelineStatus draining = RecordCopy.with(TestStatuses.CONNECTED, "state", PipelineState.DRAINING);
        assertThat(detect("configuration", TestStatuses.REFUSED, "pipeline", draining))
                .extracting(Problem::kind)
                .containsExactly(Kind.NODE_STOPPING);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            100 | 100 | 401 |                 | partner-a | CLOSED    | BAD  | 100 % of its attempts in the last minute, the last with status 401. | Check the credential partner-a (credentials.partner-a).
            100 | 12  | 403 |                 | ''        | CLOSED    | WARN | 12 % of its attempts in the last minute, the last with status 403. | Check the credential that the envelopes name in auth, or send in a header.
            100 | 50  | 429 |                 | ''        | CLOSED    | BAD  | 50 % of its attempts in the last minute, the last with status 429. | Lower the destination's rate or max-in-flight, because the target asks for fewer calls.
            10  | 3   | 404 |                 | ''        | CLOSED    | WARN | 30 % of its attempts in the last minute, the last with status 404. | Check the requests. If the status is a normal answer, add it to the destination's expected-statuses.
            40  | 40  | 500 |                 | ''        | OPEN      | BAD  | 100 % of its attempts in the last minute, the last with status 500. 1 call waits. Its breaker is open; the next probe is in 23 s. | Ask the operator of the target. Pause the destination if it must be left alone.
            0   | 0   | 0   | CONNECT_REFUSED | ''        | HALF_OPEN | BAD  | the last attempt ended with connect-refused. 1 call waits. Its breaker is half-open; probes show whether it recovers. | Check that the target runs, and that this machine reaches its address and port.
            4   | 4   | 0   | TIMEOUT         | ''        | CLOSED    | BAD  | 100 % of its attempts in the last minute, the last with timeout. | Find out why the target is slow: ask its operator.
            """)
    void findsAFailingDestination(
            long ended,
            long errors,
            int status,
            ErrorCode code,
            String credential,
            BreakerState breaker,
            Severity severity,
            String text,
            String action) {
        LastError last = new LastError(status, code, RECENTLY);

        assertThat(detect(
                        "destinations",
                        List.of(results(
                                ended, errors, last, credential, breaker, breaker == BreakerState.CLOSED ? 0 : 1))))
                .containsExactly(new Problem(
                        Kind.DESTINATION_FAILING,
                        severity,
                        "partner",
                        last.reason(),
                        "Destination partner fails: " + text,
                        action));
    }

    static Stream<DestinationResults> healthyDestinations() {
        return Stream.of(
                results(100, 0, null, "", BreakerState.CLOSED, 0),
                failing(100, 9, 500, null),
                failing(2, 2, 500, null),
                // An open breaker that no call tries to pass.
                results(0, 0, new LastError(500, null, RECENTLY), "", BreakerState.OPEN, 0),
                // Its last error is too long ago.
                results(100, 100, new LastError(500, null, Duration.ofSeconds(31)), "", BreakerState.CLOSED, 0));
    }

    @ParameterizedTest
    @MethodSource("healthyDestinations")
    void findsNothingWrongWithADestinationThatAnswers(DestinationResults destination) {
        assertThat(detect("destinations", List.of(destination))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DNS_FAILED", "TLS", "CREDENTIAL_UNAVAILABLE", "PROXY_FAILED", "PROTOCOL_ERROR"})
    void saysWhatToDoForEachCode(ErrorCode code) {
        assertThat(detect("destinations", List.of(failing(10, 10, 0, code))))
                .singleElement()
                .satisfies(problem -> assertThat(problem.action()).isNotBlank());
    }

    @Test
    void listsTheMostUrgentFirst() {
        List<Problem> problems = ranked(
                "pipeline",
                paused(false, PauseReason.OPERATOR),
                "configuration",
                TestStatuses.REFUSED,
                "destinations",
                List.of(failing(100, 20, 401, null), failing(100, 90, 500, null)));

        assertThat(problems)
                .extracting(Problem::kind)
                .containsExactly(
                        Kind.BROKER_UNREACHABLE,
                        Kind.DESTINATION_FAILING,
                        Kind.NODE_PAUSED,
                        Kind.DESTINATION_FAILING,
                        Kind.CONFIGURATION_REFUSED);
    }

    @Test
    void reportsRejectedCallsWithTheMostFrequentCode() {
        CodeCounts counts = new CodeCounts(
                100,
                Map.of(ErrorCode.PORT_NOT_ALLOWED, 27L, ErrorCode.UNKNOWN_CREDENTIAL, 1L),
                Map.of(),
                Recently.NOTHING);

        assertThat(detect("codes", counts))
                .containsExactly(new Problem(
                        Kind.CALLS_REJECTED,
                        Severity.WARN,
                        "",
                        "port-not-allowed",
                        "The node rejects calls without making them: 28 % in the last minute, most with"
                                + " port-not-allowed (the URL's port is not allowed).",
                        "Read the messages in iocluster failures. Correct the sender, or the configuration if it should"
                                + " allow these calls."));
        // Half of all are severe; two, or less than one in a hundred, are no problem.
        assertThat(detect(
                        "codes",
                        new CodeCounts(10, Map.of(ErrorCode.UNKNOWN_CREDENTIAL, 5L), Map.of(), Recently.NOTHING)))
                .singleElement()
                .extracting(Problem::severity)
                .isEqualTo(Severity.BAD);
        assertThat(detect("codes", new CodeCounts(2, Map.of(ErrorCode.INVALID_URL, 2L), Map.of(), Recently.NOTHING)))
                .isEmpty();
        assertThat(detect(
                        "codes", new CodeCounts(1_000, Map.of(ErrorCode.INVALID_URL, 9L), Map.of(), Recently.NOTHING)))
                .isEmpty();
    }

    @Test
    void reportsEachDeadLetterAndWhetherAReplayHelps() {
        assertThat(detect(
                        "codes",
                        new CodeCounts(1_000, Map.of(), Map.of(ErrorCode.MALFORMED_ENVELOPE, 1L), Recently.NOTHING)))
                .containsExactly(new Problem(
                        Kind.DEAD_LETTERS,
                        Severity.WARN,
                        "",
                        "malformed-envelope",
                        "1 message became a dead letter in the last minute, with malformed-envelope (the bytes are not"
                                + " a JSON object, not UTF-8, too large or nested too deep).",
                        "List them with iocluster dlq list. Correct the sender or the configuration first: else a replay"
                                + " makes them dead letters again."));
        assertThat(detect(
                        "codes",
                        new CodeCounts(1_000, Map.of(), Map.of(ErrorCode.NO_USABLE_ANSWER, 3L), Recently.NOTHING)))
                .singleElement()
                .extracting(Problem::action)
                .isEqualTo("List them with iocluster dlq list. Put them back with iocluster dlq replay after the cause"
                        + " is gone.");
    }

    @Test
    void reportsCallsThatWaitForTheShareOfALimit() {
        ClusterLimits unknown = new ClusterLimits(0, null, Rate.parse("30/m"));

        assertThat(detect("destinations", List.of(healthy("cluster", unknown, "waiting", 7))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(Kind.CLUSTER_SHARE_UNKNOWN);
                    assertThat(problem.text())
                            .isEqualTo("The nodes divide a limit of destination partner, and this node does not know"
                                    + " its share. 7 calls to the destination wait.");
                });
        assertThat(detect("destinations", List.of(healthy("cluster", unknown)))).isEmpty();
    }

    @Test
    void reportsALimitBelowTheNumberOfNodes() {
        assertThat(texts(detect("destinations", List.of(healthy("cluster", new ClusterLimits(4, 2, null))))))
                .containsExactly(
                        "CLUSTER_LIMIT_TOO_SMALL WARN partner: Destination partner may have 2 calls in flight for"
                                + " 4 nodes. Each node needs one, so up to 4 may be in flight. Raise its max-in-flight, or run"
                                + " fewer nodes.");
        assertThat(detect("destinations", List.of(healthy("cluster", new ClusterLimits(4, 4, null)))))
                .isEmpty();
    }

    @Test
    void reportsWhatAnOperatorDoesToADestination() {
        OperatorStatus operator = new OperatorStatus(
                new OperatorStatus.Pause(Instant.EPOCH, Duration.ofSeconds(3)),
                new OperatorStatus.Limit(4, Rate.parse("30/m"), Instant.EPOCH, Duration.ofSeconds(4)));

        assertThat(texts(detect("destinations", List.of(healthy("operator", operator, "waiting", 7)))))
                .containsExactly(
                        "DESTINATION_PAUSED WARN partner: An operator paused destination partner until"
                                + " 1970-01-01T00:00:00Z. 7 calls to the destination wait. Resume it when the reason for"
                                + " the pause is gone, or wait: the pause ends by itself.",
                        "DESTINATION_LIMITED WARN partner: An operator limits destination partner to 4 in flight and 30/m"
                                + " until 1970-01-01T00:00:00Z. 7 calls to the destination wait. Remove the limit when"
                                + " the reason for it is gone, or wait: the limit ends by itself.");
    }

    @Test
    void reportsADestinationOfWhichHalfTheUpstreamsAreOut() {
        UpstreamStatus other = upstream("other", "c:1", UpstreamState.ACTIVE, null);
        UpstreamStatus ejected = upstream("partner", "a:1", UpstreamState.EJECTED, "consecutive-failures");
        UpstreamStatus starting = upstream("partner", "b:1", UpstreamState.SLOW_START, null);
        UpstreamStatus active = upstream("partner", "c:1", UpstreamState.ACTIVE, null);

        assertThat(texts(detect("upstreams", List.of(other, ejected, starting))))
                .containsExactly("UPSTREAMS_OUT WARN partner: 1 of 2 upstreams of destination partner get no calls: a:1"
                        + " (ejected, consecutive-failures). The others take their calls. Check these replicas before"
                        + " the others are overloaded.");
        assertThat(detect("upstreams", List.of(ejected, starting, active))).isEmpty();
    }

    @Test
    void isSevereIfAllUpstreamsAreOutAndNamesAFew() {
        List<UpstreamStatus> all = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> upstream("partner", "a:" + i, UpstreamState.UNHEALTHY, "status 503"))
                .toList();

        assertThat(detect("upstreams", all)).singleElement().satisfies(problem -> {
            assertThat(problem.severity()).isEqualTo(Severity.BAD);
            assertThat(problem.text())
                    .isEqualTo(
                            "5 of 5 upstreams of destination partner fail: a:1 (unhealthy, status 503), a:2 (unhealthy,"
                                    + " status 503), a:3 (unhealthy, status 503), ….");
        });
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            9, connection refused, -, -
            10, connection refused, -, cannot be used: connection refused
            0, -, OOM command not allowed; raise maxmemory, does not store responses: OOM command not allowed; raise maxmemory
            0, -, -, -
            """)
    void reportsASharedCacheThatIsNotUsable(int seconds, String reason, String writeProblem, String text) {
        List<Problem> problems = detect(
                "sharedCache",
                Optional.of(RecordCopy.with(
                        TestStatuses.SHARED_CACHE,
                        "outage",
                        Duration.ofSeconds(seconds),
                        "reason",
                        reason,
                        "writeProblem",
                        writeProblem)));

        assertThat(problems).allMatch(each -> each.kind() == Kind.SHARED_CACHE_OUT);
        assertThat(problems)
                .extracting(Problem::text)
                .containsExactlyElementsOf(
                        text == null
                                ? List.of()
                                : List.of("The shared cache at redis://cache.example:6379 " + text + "."));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            5 in flight, 100/s | 12   | 0    | 0  | 12 calls of the app wait.
            100/s              | 1000 | 29.4 | 0  | 1000 calls of the app wait, and 30 a second fail.
            5 in flight        | 12   | 0    | 93 | 12 calls of the app wait. Its share of the ended calls is 93 %.
            """)
    void namesAnAppWhoseCallsWaitForItsQuota(
            String quota, int waiting, double overQuota, double callsPerSecond, String text) {
        int maxInFlight = quota.startsWith("5 in flight") ? 5 : 0;
        Rate rate = quota.endsWith("/s") ? Rate.parse("100/s") : Rate.UNLIMITED;
        AppStatus billing = RecordCopy.with(
                app("billing", 5, waiting, overQuota, new AppQuota(maxInFlight, rate, 1_000)),
                "callsPerSecond",
                callsPerSecond);
        AppStatus shop = RecordCopy.with(app("shop", 1), "callsPerSecond", callsPerSecond == 0 ? 0.0 : 7.0);

        assertThat(detect("apps", List.of(billing, shop))).singleElement().satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo(Kind.APP_OVER_QUOTA);
            assertThat(problem.subject()).isEqualTo("billing");
            assertThat(problem.text()).isEqualTo("App billing waits for its quota (" + quota + "): " + text);
        });
    }

    /** An app dominates if it has three quarters of the calls, and calls wait for slots or for a destination. */
    @ParameterizedTest
    @CsvSource({
        "100, 0, 90, 10, true",
        "99, 0, 90, 9, false",
        "67, 40, 60, 7, true",
        "100, 0, 100, 0, false",
        "100, 0, 60, 40, false"
    })
    void namesAnAppThatHasMostCallsOfAFullNode(int inFlight, int waiting, int billing, int shop, boolean dominates) {
        PipelineStatus pipeline =
                RecordCopy.with(TestStatuses.CONNECTED, "inFlight", inFlight, "maxInFlight", 100, "waiting", waiting);

        List<Problem> problems =
                detect("pipeline", pipeline, "apps", List.of(app("billing", billing), app("shop", shop)));

        assertThat(problems).extracting(Problem::kind).isEqualTo(dominates ? List.of(Kind.APP_DOMINATES) : List.of());
        assertThat(problems)
                .allSatisfy(problem -> assertThat(problem.text())
                        .isEqualTo("App billing sends far more calls than usual: it has " + billing + " of the "
                                + (billing + shop) + " that the node works on, and calls wait."));
    }

    private static DestinationResults failing(long ended, long errors, int status, ErrorCode code) {
        return results(ended, errors, new LastError(status, code, RECENTLY), "", BreakerState.CLOSED, 0);
    }

    private static DestinationResults results(
            long ended, long errors, LastError last, String credential, BreakerState breaker, int waiting) {
        AttemptTotals attempts = new AttemptTotals(1_000, 1_000, 1_000, last);
        BreakerTrip trip = switch (breaker) {
            case OPEN -> new BreakerTrip(last.reason(), Duration.ofSeconds(23));
            case HALF_OPEN -> new BreakerTrip(last.reason(), Duration.ZERO);
            default -> null;
        };
        DestinationStatus status = TestStatuses.destination(
                "partner", "waiting", waiting, "breaker", breaker, "trip", trip, "attempts", attempts);
        return new DestinationResults(status, ended, errors, 60, credential, null);
    }

    private static DestinationResults healthy(Object... changes) {
        return new DestinationResults(TestStatuses.destination("partner", changes), 100, 0, 60, "", null);
    }

    private static PipelineStatus paused(boolean connected, PauseReason... reasons) {
        String problem = connected ? null : "connection refused";
        return TestStatuses.of("kafka", new SourceStatus(connected, problem, Set.of(reasons), 0, List.of(), 0, 0));
    }

    private static UpstreamStatus upstream(String destination, String upstream, UpstreamState state, String problem) {
        return new UpstreamStatus(destination, upstream, "", state, 0, problem, 0, 0, 0, 0, 0, 0, 0);
    }

    private static AppStatus app(String name, int inFlight) {
        return app(name, inFlight, 0, 0, AppQuota.DEFAULTS);
    }

    private static AppStatus app(String name, int inFlight, int waiting, double overQuotaPerSecond, AppQuota quota) {
        return new AppStatus(name, false, inFlight, waiting, 0, 0, 0, 0, 0, 0, 0, overQuotaPerSecond, quota);
    }
}
