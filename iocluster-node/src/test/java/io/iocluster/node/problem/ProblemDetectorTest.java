package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.ClusterLimits;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemDetectorTest {

    private static final Duration RECENTLY = Duration.ofSeconds(1);

    static Stream<Arguments> nodes() {
        return Stream.of(
                arguments(
                        pipeline(source(false, "connection refused")),
                        TestStatuses.NO_FILE,
                        new Problem(
                                Kind.BROKER_UNREACHABLE,
                                Severity.BAD,
                                "broker:9092",
                                "The broker (kafka at broker:9092) cannot be reached: connection refused",
                                "Check that the broker runs, and that this machine reaches its address.")),
                arguments(
                        pipeline(source(true, null, PauseReason.OPERATOR)),
                        TestStatuses.NO_FILE,
                        new Problem(
                                Kind.NODE_PAUSED,
                                Severity.WARN,
                                "",
                                "An operator paused the node (POST /api/pause). It reads no messages.",
                                "Resume it when the reason for the pause is gone.")),
                arguments(
                        pipeline(source(true, null, PauseReason.BROKER_BLOCKED)),
                        TestStatuses.NO_FILE,
                        new Problem(
                                Kind.BROKER_BLOCKED,
                                Severity.BAD,
                                "",
                                "The broker paused the node, because it is short of memory or disk.",
                                "Free memory or disk on the broker.")),
                arguments(
                        pipeline(source(true, null, PauseReason.BACKOFF)),
                        TestStatuses.NO_FILE,
                        new Problem(
                                Kind.ANSWERS_NOT_PUBLISHED,
                                Severity.BAD,
                                "",
                                "The node paused itself, because its answers cannot be published.",
                                "Read the log: it names the topic or queue, and the reason.")),
                arguments(
                        TestStatuses.CONNECTED,
                        TestStatuses.REFUSED,
                        new Problem(
                                Kind.CONFIGURATION_REFUSED,
                                Severity.WARN,
                                "",
                                "The edited configuration is refused: workers.threads must be from 0 to 1024: -1",
                                "Correct the file or the key in Consul. The node keeps its configuration, but could not start"
                                        + " again.")),
                arguments(
                        state(PipelineState.RUNNING, true),
                        TestStatuses.NO_FILE,
                        new Problem(
                                Kind.NODE_STUCK,
                                Severity.BAD,
                                "",
                                "The node is full, and no call has ended within workers.progress-timeout.",
                                "Read the log. If it does not recover, save a thread dump and restart the node.")),
                arguments(
                        state(PipelineState.DRAINING, false),
                        TestStatuses.REFUSED,
                        new Problem(
                                Kind.NODE_STOPPING,
                                Severity.WARN,
                                "",
                                "The node drains: it finishes 12 open calls and reads no messages.",
                                "Restart its process to use it again.")),
                arguments(
                        state(PipelineState.STOPPED, false),
                        TestStatuses.NO_FILE,
                        new Problem(
                                Kind.NODE_STOPPING,
                                Severity.WARN,
                                "",
                                "The node has stopped after a drain and reads no messages.",
                                "Restart its process to use it again.")));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void findsTheProblemOfTheNode(PipelineStatus pipeline, ConfigurationStatus configuration, Problem problem) {
        assertThat(detect(pipeline, configuration, List.of(), CodeCounts.NONE)).containsExactly(problem);
    }

    private static List<Problem> detect(
            PipelineStatus pipeline,
            ConfigurationStatus configuration,
            List<DestinationResults> destinations,
            CodeCounts codes) {
        return ProblemDetector.detect(new NodeSnapshot(
                pipeline, "broker:9092", configuration, destinations, List.of(), Optional.empty(), List.of(), codes));
    }

    static Stream<Arguments> destinations() {
        return Stream.of(
                arguments(
                        failing(100, 100, 401, null, "partner-a", BreakerState.CLOSED, 0),
                        Severity.BAD,
                        "Destination partner fails: 100 % of its attempts in the last minute, the last with status 401.",
                        "Check the credential partner-a (credentials.partner-a)."),
                arguments(
                        failing(100, 12, 403, null, "", BreakerState.CLOSED, 0),
                        Severity.WARN,
                        "Destination partner fails: 12 % of its attempts in the last minute, the last with status 403.",
                        "Check the credential that the envelopes name in auth, or send in a header."),
                arguments(
                        failing(100, 50, 429, null, "", BreakerState.CLOSED, 0),
                        Severity.BAD,
                        "Destination partner fails: 50 % of its attempts in the last minute, the last with status 429.",
                        "Lower the destination's rate or max-in-flight, because the target asks for fewer calls."),
                arguments(
                        failing(10, 3, 404, null, "", BreakerState.CLOSED, 0),
                        Severity.WARN,
                        "Destination partner fails: 30 % of its attempts in the last minute, the last with status 404.",
                        "Check the requests. If the status is a normal answer, add it to the destination's"
                                + " expected-statuses."),
                arguments(
                        failing(40, 40, 500, null, "", BreakerState.OPEN, 7),
                        Severity.BAD,
                        "Destination partner fails: 100 % of its attempts in the last minute, the last with status 500."
                                + " Its breaker is open.",
                        "Ask the operator of the target. The node retries, and calls again when the target recovers."),
                arguments(
                        failing(0, 0, 0, ErrorCode.CONNECT_REFUSED, "", BreakerState.HALF_OPEN, 1),
                        Severity.BAD,
                        "Destination partner fails: no attempt ended in the last minute, the last with connect-refused."
                                + " Its breaker is half-open.",
                        "Check that the target runs, and that this machine reaches its address and port."),
                arguments(
                        failing(4, 4, 0, ErrorCode.TIMEOUT, "", BreakerState.CLOSED, 0),
                        Severity.BAD,
                        "Destination partner fails: 100 % of its attempts in the last minute, the last with timeout.",
                        "Find out why the target is slow. Raise the destination's timeout if it needs more time."));
    }

    @ParameterizedTest
    @MethodSource("destinations")
    void findsAFailingDestination(DestinationResults destination, Severity severity, String text, String action) {
        assertThat(detect(destination))
                .containsExactly(new Problem(
                        Kind.DESTINATION_FAILING,
                        severity,
                        "partner",
                        destination.status().attempts().lastError().reason(),
                        text,
                        action));
    }

    static Stream<DestinationResults> healthyDestinations() {
        return Stream.of(
                results(100, 0, null, "", BreakerState.CLOSED, 0),
                failing(100, 9, 500, null, "", BreakerState.CLOSED, 0),
                failing(2, 2, 500, null, "", BreakerState.CLOSED, 0),
                // An open breaker that no call tries to pass.
                failing(0, 0, 500, null, "", BreakerState.OPEN, 0),
                // Its last error is too long ago.
                results(100, 100, new LastError(500, null, Duration.ofSeconds(31)), "", BreakerState.CLOSED, 0));
    }

    @ParameterizedTest
    @MethodSource("healthyDestinations")
    void findsNothingWrongWithADestinationThatAnswers(DestinationResults destination) {
        assertThat(detect(destination)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"DNS_FAILED", "TLS", "CREDENTIAL_UNAVAILABLE", "PROXY_FAILED", "PROTOCOL_ERROR"})
    void saysWhatToDoForEachCode(ErrorCode code) {
        assertThat(detect(failing(10, 10, 0, code, "", BreakerState.CLOSED, 0)))
                .singleElement()
                .satisfies(problem -> assertThat(problem.action()).isNotBlank());
    }

    @Test
    void listsTheMostUrgentFirst() {
        List<Problem> problems = detect(
                pipeline(source(false, "connection refused", PauseReason.OPERATOR)),
                TestStatuses.REFUSED,
                List.of(
                        failing(100, 20, 401, null, "", BreakerState.CLOSED, 0),
                        failing(100, 90, 500, null, "", BreakerState.CLOSED, 0)),
                CodeCounts.NONE);

        assertThat(problems)
                .extracting(Problem::kind)
                .containsExactly(
                        Kind.BROKER_UNREACHABLE,
                        Kind.DESTINATION_FAILING,
                        Kind.DESTINATION_FAILING,
                        Kind.NODE_PAUSED,
                        Kind.CONFIGURATION_REFUSED);
    }

    private static List<Problem> detect(DestinationResults destination) {
        return detect(TestStatuses.CONNECTED, TestStatuses.NO_FILE, List.of(destination), CodeCounts.NONE);
    }

    @Test
    void reportsRejectedCallsWithTheMostFrequentCode() {
        CodeCounts counts = new CodeCounts(
                100, Map.of(ErrorCode.PORT_NOT_ALLOWED, 27L, ErrorCode.UNKNOWN_CREDENTIAL, 1L), Map.of());

        assertThat(detect(counts))
                .containsExactly(new Problem(
                        Kind.CALLS_REJECTED,
                        Severity.WARN,
                        "",
                        "port-not-allowed",
                        "The node rejects calls without making them: 28 % in the last minute, most with"
                                + " port-not-allowed (the URL's port is not allowed).",
                        "Read the messages in iocluster failures. Correct the sender, or the configuration if it should"
                                + " allow these calls."));
    }

    @Test
    void rejectedCallsAreSevereIfTheyAreHalfOfAll() {
        assertThat(detect(new CodeCounts(10, Map.of(ErrorCode.UNKNOWN_CREDENTIAL, 5L), Map.of())))
                .singleElement()
                .extracting(Problem::severity)
                .isEqualTo(Severity.BAD);
    }

    @Test
    void doesNotReportFewRejectedCalls() {
        assertThat(detect(new CodeCounts(2, Map.of(ErrorCode.INVALID_URL, 2L), Map.of())))
                .isEmpty();
        assertThat(detect(new CodeCounts(1_000, Map.of(ErrorCode.INVALID_URL, 9L), Map.of())))
                .isEmpty();
    }

    @Test
    void reportsEachDeadLetterAndWhetherAReplayHelps() {
        assertThat(detect(new CodeCounts(1_000, Map.of(), Map.of(ErrorCode.MALFORMED_ENVELOPE, 1L))))
                .containsExactly(new Problem(
                        Kind.DEAD_LETTERS,
                        Severity.WARN,
                        "",
                        "malformed-envelope",
                        "1 message became a dead letter in the last minute, with malformed-envelope (the bytes are not"
                                + " a JSON object, not UTF-8, too large or nested too deep).",
                        "List them with iocluster dlq list. Correct the sender or the configuration first: else a replay"
                                + " makes them dead letters again."));
        assertThat(detect(new CodeCounts(1_000, Map.of(), Map.of(ErrorCode.NO_USABLE_ANSWER, 3L))))
                .singleElement()
                .extracting(Problem::action)
                .isEqualTo("List them with iocluster dlq list. Put them back with iocluster dlq replay after the cause"
                        + " is gone.");
    }

    private static List<Problem> detect(CodeCounts counts) {
        return detect(TestStatuses.CONNECTED, TestStatuses.NO_FILE, List.of(), counts);
    }

    @Test
    void reportsCallsThatWaitForTheShareOfALimit() {
        DestinationResults waiting = results(100, 0, null, "", BreakerState.CLOSED, 7);
        ClusterLimits unknown = new ClusterLimits(0, null, Rate.parse("30/m"));
        DestinationStatus status = RecordCopy.with(waiting.status(), "cluster", unknown);

        assertThat(detect(new DestinationResults(status, 100, 0, "")))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(Kind.CLUSTER_SHARE_UNKNOWN);
                    assertThat(problem.text())
                            .isEqualTo("The nodes divide a limit of destination partner, and this node does not know"
                                    + " its share. 7 calls to the destination wait.");
                });
        DestinationStatus idle = RecordCopy.with(status, "waiting", 0);
        assertThat(detect(new DestinationResults(idle, 100, 0, ""))).isEmpty();
    }

    @Test
    void reportsALimitBelowTheNumberOfNodes() {
        DestinationResults healthy = results(100, 0, null, "", BreakerState.CLOSED, 0);
        DestinationStatus status = RecordCopy.with(healthy.status(), "cluster", new ClusterLimits(4, 2, null));

        assertThat(detect(new DestinationResults(status, 100, 0, "")))
                .containsExactly(new Problem(
                        Kind.CLUSTER_LIMIT_TOO_SMALL,
                        Severity.WARN,
                        "partner",
                        "Destination partner may have 2 calls in flight for 4 nodes. Each node needs one, so up to 4 may"
                                + " be in flight.",
                        "Raise its max-in-flight, or run fewer nodes."));
        DestinationStatus enough = RecordCopy.with(healthy.status(), "cluster", new ClusterLimits(4, 4, null));
        assertThat(detect(new DestinationResults(enough, 100, 0, ""))).isEmpty();
    }

    @Test
    void reportsWhatAnOperatorDoesToADestination() {
        OperatorStatus operator = new OperatorStatus(
                new OperatorStatus.Pause(Instant.EPOCH, Duration.ofSeconds(3)),
                new OperatorStatus.Limit(4, Rate.parse("30/m"), Instant.EPOCH, Duration.ofSeconds(4)));
        DestinationResults healthy = results(100, 0, null, "", BreakerState.CLOSED, 7);
        DestinationStatus status = RecordCopy.with(healthy.status(), "operator", operator);

        assertThat(detect(new DestinationResults(status, 100, 0, "")))
                .containsExactly(
                        new Problem(
                                Kind.DESTINATION_PAUSED,
                                Severity.WARN,
                                "partner",
                                "An operator paused destination partner until 1970-01-01T00:00:00Z. 7 calls to the destination wait.",
                                "Resume it when the reason for the pause is gone, or wait: the pause ends by itself."),
                        new Problem(
                                Kind.DESTINATION_LIMITED,
                                Severity.WARN,
                                "partner",
                                "An operator limits destination partner to 4 in flight and 30/m until"
                                        + " 1970-01-01T00:00:00Z. 7 calls to the destination wait.",
                                "Remove the limit when the reason for it is gone, or wait: the limit ends by itself."));
    }

    private static DestinationResults failing(
            long ended, long errors, int status, ErrorCode code, String credential, BreakerState breaker, int waiting) {
        return results(ended, errors, new LastError(status, code, RECENTLY), credential, breaker, waiting);
    }

    private static DestinationResults results(
            long ended, long errors, LastError last, String credential, BreakerState breaker, int waiting) {
        AttemptTotals attempts = new AttemptTotals(1_000, 1_000, 1_000, last);
        DestinationStatus status =
                TestStatuses.destination("partner", "waiting", waiting, "breaker", breaker, "attempts", attempts);
        return new DestinationResults(status, ended, errors, credential);
    }

    private static PipelineStatus pipeline(SourceStatus source) {
        return TestStatuses.of("kafka", source);
    }

    private static SourceStatus source(boolean connected, String problem, PauseReason... reasons) {
        return new SourceStatus(connected, problem, Set.of(reasons), 0, List.of(), 0, 0);
    }

    private static PipelineStatus state(PipelineState state, boolean stuck) {
        PipelineStatus running = TestStatuses.CONNECTED;
        return RecordCopy.with(running, "state", state, "stuck", stuck);
    }
}
