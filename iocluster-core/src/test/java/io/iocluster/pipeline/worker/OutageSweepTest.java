package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.pipeline.worker.SimulatedNode.Behaviour;
import io.iocluster.pipeline.worker.SimulatedNode.Change;
import io.iocluster.pipeline.worker.SimulatedNode.Traffic;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests in simulated time that a call succeeds soon after an outage, whatever the outage, the target, the calls and the limits are. Each run
 * plays every {@value #STRIDE}th of 1,215 outages, because all of them take minutes.
 */
class OutageSweepTest {

    /** Prime, so that each value of a dimension meets each value of every other. */
    private static final int STRIDE = 13;

    private static final long BEGIN = 20_000;
    private static final long MARGIN = 5_000;
    private static final long PROBE_INTERVAL = 1_000;

    private enum Kind {
        REFUSES(Behaviour.REFUSES),
        HANGS(Behaviour.HANGS),
        ANSWERS_500(Behaviour.FAILS);

        private final Behaviour behaviour;

        Kind(Behaviour behaviour) {
            this.behaviour = behaviour;
        }
    }

    private enum Limit {
        DEFAULT(DestinationPolicy.DEFAULTS),
        ADAPTIVE(RecordCopy.with(
                DestinationPolicy.DEFAULTS,
                "adaptiveConcurrency",
                RecordCopy.with(AdaptiveConcurrencySettings.DEFAULTS, "enabled", true))),
        MAX_IN_FLIGHT_40(RecordCopy.with(DestinationPolicy.DEFAULTS, "maxInFlight", 40));

        private final DestinationPolicy policy;

        Limit(DestinationPolicy policy) {
            this.policy = policy;
        }
    }

    private record Outage(
            Kind kind, int seconds, long answerMillis, int deadlineSeconds, int callsPerSecond, Limit limit) {

        /** Attempts that hang keep their slots until their timeout. */
        long slotsUsedMillis() {
            long timeoutMillis = limit.policy.timeout().toMillis();
            return kind == Kind.HANGS && 1_000L * seconds <= timeoutMillis ? timeoutMillis : 0;
        }
    }

    static Stream<Outage> outages() {
        List<Outage> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int seconds : List.of(10, 30, 75, 150, 300)) {
                for (long answerMillis : List.of(20L, 1_000L, 4_000L)) {
                    for (int deadlineSeconds : List.of(5, 10, 30)) {
                        for (int callsPerSecond : List.of(5, 30, 200)) {
                            for (Limit limit : Limit.values()) {
                                all.add(new Outage(
                                        kind, seconds, answerMillis, deadlineSeconds, callsPerSecond, limit));
                            }
                        }
                    }
                }
            }
        }
        return IntStream.range(0, all.size())
                .filter(number -> number % STRIDE == 0)
                .mapToObj(all::get);
    }

    @ParameterizedTest
    @MethodSource("outages")
    void aCallSucceedsFiveSecondsAfterTheOpenTime(Outage outage) {
        long repaired = BEGIN + 1_000L * outage.seconds();
        Behaviour well = Behaviour.answersAfter(Duration.ofMillis(outage.answerMillis()));
        SimulatedNode node = new SimulatedNode(
                outage.limit().policy, millis -> millis > BEGIN && millis <= repaired ? outage.kind().behaviour : well);
        Traffic traffic = new Traffic(outage.callsPerSecond(), Duration.ofSeconds(outage.deadlineSeconds()));

        node.runUntil(repaired + PROBE_INTERVAL, traffic);
        long bound = Math.max(repaired, openUntil(node)) + outage.slotsUsedMillis() + MARGIN;
        node.runUntil(bound, traffic);

        assertThat(node.messages()).anyMatch(message -> message.succeeded() && message.endedMillis > repaired);
    }

    /** Returns until when the breaker is open, 0 if it is not. The time since the start of the probes before counts. */
    private static long openUntil(SimulatedNode node) {
        BreakerSettings breaker = DestinationPolicy.DEFAULTS.breaker();
        long openMillis = 0;
        long sinceMillis = 0;
        Change before = null;
        for (Change change : node.changes()) {
            if (change.state() == BreakerState.CLOSED) {
                openMillis = 0;
            } else if (change.state() == BreakerState.OPEN) {
                openMillis = openMillis == 0
                        ? breaker.openDuration().toMillis()
                        : Math.min(2 * openMillis, breaker.maxOpenDuration().toMillis());
                sinceMillis = before.state() == BreakerState.HALF_OPEN ? before.millis() : change.millis();
            }
            before = change;
        }
        return node.breaker() == BreakerState.OPEN ? sinceMillis + openMillis : 0;
    }
}
