package io.iocluster.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.iocluster.http.UpstreamAddress;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which upstream is selected if one stops answering, fails at once, or is avoided. */
class UpstreamSelectionTest {

    private static final UpstreamAddress A = new UpstreamAddress("a.example", 80);
    private static final UpstreamAddress B = new UpstreamAddress("b.example", 80);
    private static final UpstreamAddress C = new UpstreamAddress("c.example", 80);
    private static final UpstreamAddress D = new UpstreamAddress("d.example", 80);
    private static final UpstreamSettings WITHOUT_EJECTION = RecordCopy.with(
            UpstreamSettings.DEFAULTS,
            "ejection",
            RecordCopy.with(EjectionSettings.DEFAULTS, "consecutiveFailures", 0, "failurePercent", 0));

    private final ManualClock clock = new ManualClock();

    private UpstreamBalancer balancer(UpstreamAddress... upstreams) {
        UpstreamBalancer balancer =
                new UpstreamBalancer("partner", WITHOUT_EJECTION, clock::nanos, new SplittableRandom(7));
        balancer.setUpstreams(List.of(upstreams));
        return balancer;
    }

    private void succeed(UpstreamBalancer balancer, int times) {
        for (int i = 0; i < times; i++) {
            UpstreamSelection selection = balancer.select(null);
            clock.advance(Duration.ofMillis(10));
            selection.end(UpstreamResult.SUCCESS);
        }
    }

    @Test
    void anUpstreamThatStopsAnsweringGetsFewCallsBeforeTheFirstOneHasFailed() {
        UpstreamBalancer balancer = balancer(A, B, C);
        succeed(balancer, 300);

        for (int i = 0; i < 1_000; i++) {
            UpstreamSelection selection = balancer.select(null);
            clock.advance(Duration.ofMillis(10));
            if (!selection.address().equals(A)) {
                selection.end(UpstreamResult.SUCCESS);
            }
        }

        assertThat(balancer.status().get(0).inFlight()).isBetween(1, 3);
        assertThat(balancer.status().get(0).latencyMillis()).isGreaterThan(5_000);
    }

    @Test
    void anUpstreamWhoseAttemptsAreEndedBeforeItAnswersGetsFewCalls() {
        UpstreamBalancer balancer = balancer(A, B);
        succeed(balancer, 100);
        int unfinished = 0;

        for (int i = 0; i < 1_000; i++) {
            UpstreamSelection selection = balancer.select(null);
            boolean hangs = selection.address().equals(A);
            clock.advance(Duration.ofMillis(hangs ? 50 : 10));
            selection.end(hangs ? UpstreamResult.UNFINISHED : UpstreamResult.SUCCESS);
            unfinished += hangs ? 1 : 0;
        }

        assertThat(unfinished).isBetween(1, 50);
        assertThat(balancer.status().get(0).successes()).isPositive();
        assertThat(balancer.status().get(0).failures()).isZero();
    }

    @Test
    void aCallThatANewUpstreamDoesNotAcceptYetGoesToTheFasterOfTheOthers() {
        UpstreamBalancer balancer = balancer(A, B, C);
        callOneAfterTheOther(balancer, 300);
        balancer.setUpstreams(List.of(A, B, C, D));

        assertThat(callOneAfterTheOther(balancer, 300)).isLessThanOrEqualTo(3);
    }

    /** Makes calls, of which those to A take 200 ms and the others 10 ms. Returns how many A got. */
    private int callOneAfterTheOther(UpstreamBalancer balancer, int calls) {
        int slow = 0;
        for (int i = 0; i < calls; i++) {
            UpstreamSelection selection = balancer.select(null);
            boolean isSlow = selection.address().equals(A);
            clock.advance(Duration.ofMillis(isSlow ? 200 : 10));
            selection.end(UpstreamResult.SUCCESS);
            slow += isSlow ? 1 : 0;
        }
        return slow;
    }

    @Test
    void anAttemptThatIsEndedBeforeTheUsualLatencySaysNothing() {
        UpstreamBalancer balancer = balancer(A);
        succeed(balancer, 100);
        double usual = balancer.status().get(0).latencyMillis();

        UpstreamSelection selection = balancer.select(null);
        clock.advance(Duration.ofMillis(1));
        selection.end(UpstreamResult.UNFINISHED);

        assertThat(usual).isCloseTo(10.0, within(0.2));
        assertThat(balancer.status().get(0).latencyMillis()).isCloseTo(usual, within(0.01));
        assertThat(balancer.status().get(0).ignored()).isEqualTo(1);
    }

    @Test
    void anUpstreamThatFailsAtOnceGetsFewerCallsThanOthersEvenIfItCannotBeEjected() {
        UpstreamBalancer balancer = balancer(A, B);
        succeed(balancer, 100);
        Deque<Optional<UpstreamSelection>> open = new ArrayDeque<>();
        int failures = 0;

        // The other one has four attempts in flight, each of which takes 20 ms.
        for (int i = 0; i < 2_000; i++) {
            UpstreamSelection selection = balancer.select(null);
            if (selection.address().equals(A)) {
                failures++;
                selection.end(UpstreamResult.FAILURE);
                selection = null;
            }
            clock.advance(Duration.ofMillis(5));
            open.add(Optional.ofNullable(selection));
            if (open.size() == 4) {
                open.remove().ifPresent(each -> each.end(UpstreamResult.SUCCESS));
            }
        }

        assertThat(failures).isLessThan(400);
    }

    @Test
    void oneSlowAnswerAfterALongPauseShowsThatAnUpstreamIsStillSlow() {
        UpstreamBalancer balancer = balancer(A);
        succeed(balancer, 100);
        clock.advance(Duration.ofMinutes(1));

        UpstreamSelection selection = balancer.select(null);
        clock.advance(Duration.ofMillis(100));
        selection.end(UpstreamResult.SUCCESS);

        assertThat(balancer.status().get(0).latencyMillis()).isBetween(95.0, 100.0);
    }

    @Test
    void prefersUpstreamsOfTheOwnZoneWhileHalfOfThemGetCalls() {
        UpstreamBalancer balancer = new UpstreamBalancer(
                "partner",
                RecordCopy.with(
                        UpstreamSettings.DEFAULTS,
                        "zone",
                        new ZoneSettings("own", 50),
                        "slowStart",
                        Duration.ZERO,
                        "ejection",
                        RecordCopy.with(EjectionSettings.DEFAULTS, "consecutiveFailures", 1)),
                clock::nanos,
                new SplittableRandom(7));
        balancer.setUpstreams(List.of(
                A.withZone("own"), B.withZone("own"), C.withZone("other"), new UpstreamAddress("d.example", 80)));
        assertThat(selectedHosts(balancer)).containsOnly("a.example", "b.example");

        UpstreamSelection first = balancer.select(null);
        first.end(UpstreamResult.FAILURE);
        assertThat(selectedHosts(balancer)).hasSize(1).containsAnyOf("a.example", "b.example");
        balancer.select(first.address()).end(UpstreamResult.FAILURE);

        assertThat(selectedHosts(balancer)).containsOnly("c.example", "d.example");
    }

    private static Set<String> selectedHosts(UpstreamBalancer balancer) {
        List<UpstreamSelection> open =
                IntStream.range(0, 50).mapToObj(i -> balancer.select(null)).toList();
        open.forEach(each -> each.end(UpstreamResult.IGNORED));
        return open.stream().map(each -> each.address().host()).collect(Collectors.toSet());
    }

    @Test
    void callsAllZonesIfNoUpstreamIsInTheOwnOne() {
        UpstreamBalancer balancer = balancer(A.withZone("b"), B);
        balancer.applySettings(RecordCopy.with(WITHOUT_EJECTION, "zone", new ZoneSettings("own", 50)));

        assertThat(selectedHosts(balancer)).containsOnly("a.example", "b.example");
    }

    @Test
    void avoidsAnUpstreamIfThereAreOthers() {
        UpstreamBalancer balancer = balancer(A, B, C);

        assertThat(IntStream.range(0, 100).mapToObj(i -> balancer.select(A).address()))
                .contains(B, C)
                .doesNotContain(A);
    }

    @Test
    void selectsAnAvoidedUpstreamIfThereIsNoOther() {
        UpstreamBalancer balancer = balancer(A);

        assertThat(balancer.select(A).address()).isEqualTo(A);
        assertThat(balancer.select(B).address()).isEqualTo(A);
    }
}
