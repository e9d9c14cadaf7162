package io.iocluster.node.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.node.tuning.CpuSampler.CpuUsage;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.PipelineStatus.WorkerStatus;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSamplerTest {

    private static final NodeSettings SETTINGS =
            SettingsLoading.node("destinations: [{match: slow.example, name: slow, rate: 5/s}]");
    private static final CpuUsage CPU = new CpuUsage(0.3, 0.5, 0.25);
    private static final Lag FRESH = new Lag("requests", 0, 40, 0, false);
    private static final Lag STALE = new Lag("requests", 1, 2, 0, true);

    @Test
    void addsUpTheLagOfAllPartitions() {
        Observation observation = observe(source(Set.of(), FRESH, FRESH));

        assertThat(observation.lag()).isEqualTo(80);
        assertThat(observation.unread()).isEqualTo(80 - 70 - 5 - 3);
        assertThat(observation.backlog())
                .as("with the calls that wait for a slot")
                .isEqualTo(80 - 70 - 3);
        assertThat(observation.stopReason()).isNull();
        assertThat(observation.bottleneck()).isNull();
    }

    @Test
    void excludesMessagesThatOtherNodesHold() {
        Observation observation = observe(source(Set.of(), new Lag("requests", null, 340, 260, 0, false)));

        assertThat(observation.lag()).isEqualTo(340 - 260);
        assertThat(observation.unread()).isEqualTo(340 - 260 - 70 - 5 - 3);
    }

    @Test
    void keepsUpWhenOtherNodesHoldTheRestOfTheLag() {
        SourceStatus shared = source(Set.of(), new Lag("requests", null, 3_078, 3_000, 0, false));
        TuningPolicy policy = new TuningPolicy();

        TuningPolicy.Evaluation last = IntStream.rangeClosed(0, 9)
                .mapToObj(second ->
                        policy.evaluate(observe(second, 100 * second, shared), TunedSimulation.withMode(Mode.ADVISE)))
                .reduce((before, after) -> after)
                .orElseThrow();

        assertThat(last.advice()).isEqualTo(Advice.hold("the node keeps up: 100 messages/s, 50 ms of work waits"));
    }

    @Test
    void hasNoLagWhenAPartitionsLagIsStaleOrMissing() {
        assertThat(observe(source(Set.of(), FRESH, STALE)).lag()).isNull();
        assertThat(observe(source(Set.of())).lag()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"OPERATOR, nothing is read: an operator paused the node", "DRAIN, nothing is read: the node is draining"
    })
    void reportsWhyTheNodeReadsNothing(PauseReason reason, String stopReason) {
        assertThat(observe(source(Set.of(reason), FRESH)).stopReason()).isEqualTo(stopReason);
    }

    @Test
    void reportsAnUnreachableBroker() {
        SourceStatus disconnected = new SourceStatus(false, "connection refused", Set.of(), 0, List.of(FRESH), 0, 0);

        assertThat(observe(disconnected).stopReason()).isEqualTo("nothing is read: connection refused");
        assertThat(observe(disconnected).lag()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"BACKOFF, answers cannot be published", "BROKER_BLOCKED, the broker is short of memory or disk"})
    void reportsTheBrokerAsBottleneck(PauseReason reason, String bottleneck) {
        assertThat(observe(source(Set.of(reason), FRESH)).bottleneck()).startsWith(bottleneck);
    }

    @Test
    void reportsUsedUpBytesAndConfirms() {
        assertThat(observe(70, 5, 960, 0, List.of()).bottleneck()).startsWith("960 answers wait for the broker");
        assertThat(observe(70, 5, 3, 980 << 20, List.of()).bottleneck()).startsWith("calls hold 980 MiB");
    }

    @Test
    void isFullWhenSlotsAreTaken() {
        assertThat(observe(89, 0, 0, 0, List.of()).isFull()).isFalse();
        assertThat(observe(90, 0, 0, 0, List.of()).isFull()).isTrue();
    }

    @Test
    void isFullWhenADestinationHasUsedItsShareAndCallsWait() {
        assertThat(observe(67, 9, 0, 0, List.of(destination("a:80", 66, 0, 9))).isFull())
                .isTrue();
        assertThat(observe(67, 9, 0, 0, List.of(destination("a:80", 40, 0, 9))).isFull())
                .isFalse();
        assertThat(observe(67, 0, 0, 0, List.of(destination("a:80", 66, 0, 0))).isFull())
                .isFalse();
    }

    @Test
    void reportsSaturatedDestinations() {
        Observation observation = observe(
                70,
                40,
                0,
                0,
                List.of(
                        destination("limited:80", 10, 10, 20),
                        destination("idle:80", 10, 10, 0),
                        destination("slow", 1, 0, 2, "rate", Rate.parse("5/s")),
                        destination("free:80", 10, 0, 3),
                        destination("open:80", 0, 0, 4, "breaker", BreakerState.OPEN),
                        destination("paused:80", 0, 0, 5, "pausedFor", Duration.ofSeconds(20))));

        assertThat(observation.saturated())
                .extracting(SaturatedDestination::toString)
                .containsExactly(
                        "limited:80 has 10 calls in flight, which is its limit, and 20 in its queue",
                        "slow is limited to 5/s and has 2 calls in its queue",
                        "open:80 fails, and its breaker is open",
                        "paused:80 asked for a pause of 20 s");
        assertThat(observation.saturatedRatio()).isEqualTo((30 + 3 + 4 + 5) / 110.0);
    }

    private static DestinationStatus destination(String name, int inFlight, int limit, int waiting, Object... changes) {
        return RecordCopy.with(
                TestStatuses.destination(
                        name, "configured", false, "inFlight", inFlight, "limit", limit, "waiting", waiting),
                changes);
    }

    private static SourceStatus source(Set<PauseReason> pauseReasons, Lag... lags) {
        return new SourceStatus(true, null, pauseReasons, 0, List.of(lags), 0, 0);
    }

    private static Observation observe(SourceStatus source) {
        return observe(70, 5, 3, 0, List.of(), source);
    }

    private static Observation observe(int second, int acknowledged, SourceStatus source) {
        return NodeSampler.observe(
                second * 1_000_000_000L, SETTINGS, status(70, 5, 3, 0, source), List.of(), acknowledged, 0, CPU);
    }

    private static Observation observe(
            int inFlight, int waiting, int unconfirmed, long bytes, List<DestinationStatus> destinations) {
        return observe(inFlight, waiting, unconfirmed, bytes, destinations, source(Set.of(), FRESH));
    }

    private static Observation observe(
            int inFlight,
            int waiting,
            int unconfirmed,
            long bytes,
            List<DestinationStatus> destinations,
            SourceStatus source) {
        return NodeSampler.observe(
                1, SETTINGS, status(inFlight, waiting, unconfirmed, bytes, source), destinations, 9, 0, CPU);
    }

    private static PipelineStatus status(int inFlight, int waiting, int unconfirmed, long bytes, SourceStatus source) {
        return new PipelineStatus(
                PipelineState.RUNNING,
                "kafka",
                inFlight,
                100,
                waiting,
                unconfirmed,
                0,
                bytes,
                1L << 30,
                List.of(new WorkerStatus("worker-1", inFlight, inFlight, 0, 0)),
                0,
                false,
                source);
    }
}
