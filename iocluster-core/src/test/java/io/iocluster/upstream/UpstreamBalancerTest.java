package io.iocluster.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.iocluster.http.UpstreamAddress;
import io.iocluster.pipeline.ManualClock;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UpstreamBalancerTest {

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
        return balancer(UpstreamSettings.DEFAULTS, upstreams);
    }

    private UpstreamBalancer balancer(UpstreamSettings settings, UpstreamAddress... upstreams) {
        UpstreamBalancer balancer = new UpstreamBalancer("partner", settings, clock::nanos, new SplittableRandom(7));
        balancer.setUpstreams(List.of(upstreams));
        return balancer;
    }

    private static UpstreamSettings ejection(Object... components) {
        return RecordCopy.with(
                UpstreamSettings.DEFAULTS, "ejection", RecordCopy.with(EjectionSettings.DEFAULTS, components));
    }

    /** Makes one attempt after another and returns how many each upstream got. */
    private Map<UpstreamAddress, Integer> callOneByOne(UpstreamBalancer balancer, int calls, long... millis) {
        Map<UpstreamAddress, Integer> counts = new HashMap<>();
        for (int i = 0; i < calls; i++) {
            UpstreamSelection selection = balancer.select(null);
            counts.merge(selection.address(), 1, Integer::sum);
            int index = selection.address().host().charAt(0) - 'a';
            clock.advance(Duration.ofMillis(millis[index]));
            selection.end(UpstreamResult.SUCCESS);
        }
        return counts;
    }

    /** Lets the next attempts to this upstream fail at once. */
    private static void fail(UpstreamBalancer balancer, UpstreamAddress upstream, int times) {
        for (int i = 0; i < times; i++) {
            endNext(balancer, upstream, UpstreamResult.FAILURE);
        }
    }

    /** Ends the next attempt to this upstream with this result. Holds others open until then, so that it becomes the cheapest one. */
    private static void endNext(UpstreamBalancer balancer, UpstreamAddress upstream, UpstreamResult result) {
        List<UpstreamSelection> others = new ArrayList<>();
        UpstreamSelection selection = balancer.select(null);
        while (!selection.address().equals(upstream)) {
            others.add(selection);
            assertThat(others).hasSizeLessThan(100_000);
            selection = balancer.select(null);
        }
        selection.end(result);
        others.forEach(each -> each.end(UpstreamResult.IGNORED));
    }

    private static List<String> ejected(UpstreamBalancer balancer) {
        return balancer.status().stream()
                .filter(each -> each.state() == UpstreamState.EJECTED)
                .map(UpstreamStatus::upstream)
                .toList();
    }

    private static int inFlight(UpstreamBalancer balancer, UpstreamAddress upstream) {
        return balancer.status().stream()
                .filter(each -> each.upstream().equals(upstream.toString()))
                .mapToInt(UpstreamStatus::inFlight)
                .sum();
    }

    @Test
    void selectsNothingWithoutUpstreams() {
        assertThat(balancer().select(null)).isNull();
    }

    @Test
    void selectsTheOnlyUpstreamAndNeverEjectsIt() {
        UpstreamBalancer balancer = balancer(A);

        fail(balancer, A, 100);

        assertThat(balancer.select(null).address()).isEqualTo(A);
        assertThat(ejected(balancer)).isEmpty();
    }

    @Test
    void dividesCallsEvenlyAmongEqualUpstreams() {
        UpstreamBalancer balancer = balancer(A, B, C);

        Map<UpstreamAddress, Integer> counts = callOneByOne(balancer, 3_000, 10, 10, 10);

        assertThat(counts.values())
                .hasSize(3)
                .allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
    }

    @Test
    void keepsCallsInFlightEvenIfNoneEnds() {
        UpstreamBalancer balancer = balancer(A, B, C, D);

        IntStream.range(0, 400).forEach(i -> balancer.select(null));

        assertThat(balancer.status())
                .allSatisfy(each -> assertThat(each.inFlight()).isBetween(90, 110));
    }

    @Test
    void givesASlowUpstreamFewCalls() {
        UpstreamBalancer balancer = balancer(A, B, C);

        Map<UpstreamAddress, Integer> counts = callOneByOne(balancer, 2_000, 10, 10, 100);

        assertThat(counts.getOrDefault(C, 0)).isBetween(1, 40);
    }

    @Test
    void callsASlowUpstreamAsSoonAsTheOthersHaveAHundredTimesAsManyInFlight() {
        UpstreamBalancer balancer = balancer(A, B);
        callOneByOne(balancer, 200, 10, 100);

        IntStream.range(0, 1_100).forEach(i -> balancer.select(null));

        assertThat(inFlight(balancer, A)).isGreaterThan(1_000);
        assertThat(inFlight(balancer, B)).isBetween(5, 30);
    }

    @Test
    void triesAnUpstreamThatWasSlowAgainAfterAWhile() {
        UpstreamBalancer balancer = balancer(A, B);
        Map<UpstreamAddress, Integer> slow = callOneByOne(balancer, 200, 10, 100);
        assertThat(slow.getOrDefault(B, 0)).isLessThan(20);

        Map<UpstreamAddress, Integer> recovered = callOneByOne(balancer, 20_000, 10, 10);

        assertThat(recovered.get(B)).isGreaterThan(3_000);
    }

    @Test
    void ejectsAnUpstreamAfterConsecutiveFailures() {
        UpstreamBalancer balancer = balancer(A, B, C);

        fail(balancer, A, 4);
        assertThat(ejected(balancer)).isEmpty();
        fail(balancer, A, 1);

        assertThat(ejected(balancer)).containsExactly("a.example:80");
        assertThat(callOneByOne(balancer, 300, 1, 1, 1)).doesNotContainKey(A);
    }

    @Test
    void doesNotEjectAnUpstreamThatAnswersInBetween() {
        UpstreamBalancer balancer = balancer(ejection("failurePercent", 0), A, B);

        for (int i = 0; i < 10; i++) {
            fail(balancer, A, 4);
            endNext(balancer, A, UpstreamResult.SUCCESS);
        }

        assertThat(ejected(balancer)).isEmpty();
    }

    @Test
    void ejectsAnUpstreamWhoseShareOfFailuresIsTooHigh() {
        UpstreamBalancer balancer =
                balancer(ejection("consecutiveFailures", 0, "minAttempts", 20, "failurePercent", 50), A, B);

        for (int i = 0; i < 9; i++) {
            endNext(balancer, A, UpstreamResult.SUCCESS);
            endNext(balancer, A, UpstreamResult.FAILURE);
        }
        endNext(balancer, A, UpstreamResult.SUCCESS);
        assertThat(ejected(balancer)).isEmpty();
        endNext(balancer, A, UpstreamResult.FAILURE);

        assertThat(ejected(balancer)).containsExactly("a.example:80");
    }

    @Test
    void forgetsFailuresOfEarlierIntervals() {
        UpstreamBalancer balancer =
                balancer(ejection("consecutiveFailures", 0, "minAttempts", 20, "failurePercent", 50), A, B);
        fail(balancer, A, 19);
        clock.advance(EjectionSettings.DEFAULTS.interval());

        fail(balancer, A, 19);

        assertThat(ejected(balancer)).isEmpty();
    }

    @Test
    void ignoresAttemptsThatSayNothing() {
        UpstreamBalancer balancer = balancer(A, B);

        for (int i = 0; i < 100; i++) {
            balancer.select(null).end(UpstreamResult.IGNORED);
        }

        assertThat(ejected(balancer)).isEmpty();
        assertThat(balancer.status()).allSatisfy(each -> {
            assertThat(each.inFlight()).isZero();
            assertThat(each.latencyMillis()).isZero();
            assertThat(each.successes() + each.failures()).isZero();
            assertThat(each.ignored()).isPositive();
        });
    }

    @Test
    void ejectsOnlyAsManyAsAllowed() {
        UpstreamBalancer balancer = balancer(A, B, C, D);

        fail(balancer, A, 5);
        fail(balancer, B, 5);
        fail(balancer, C, 50);

        assertThat(ejected(balancer)).containsExactly("a.example:80", "b.example:80");
    }

    @Test
    void neverEjectsAll() {
        UpstreamBalancer balancer = balancer(ejection("maxPercent", 100), A, B);

        fail(balancer, A, 5);
        fail(balancer, B, 50);

        assertThat(ejected(balancer)).containsExactly("a.example:80");
    }

    @Test
    void ejectsNothingIfThatIsDisabled() {
        UpstreamBalancer balancer = balancer(ejection("consecutiveFailures", 0, "failurePercent", 0), A, B);

        fail(balancer, A, 500);

        assertThat(ejected(balancer)).isEmpty();
    }

    @Test
    void anEjectedUpstreamReturnsSlowly() {
        UpstreamBalancer balancer = balancer(A, B);
        callOneByOne(balancer, 100, 1, 1);
        fail(balancer, A, 5);
        clock.advance(Duration.ofSeconds(29));
        assertThat(callOneByOne(balancer, 100, 1, 1)).doesNotContainKey(A);

        clock.advance(Duration.ofSeconds(1));
        int first = callOneByOne(balancer, 1_000, 1, 1).getOrDefault(A, 0);
        clock.advance(Duration.ofSeconds(5));
        int halfway = callOneByOne(balancer, 1_000, 1, 1).getOrDefault(A, 0);
        clock.advance(Duration.ofSeconds(5));
        int whole = callOneByOne(balancer, 1_000, 1, 1).getOrDefault(A, 0);

        assertThat(first).isBetween(50, 250);
        assertThat(halfway).isGreaterThan(first + 100);
        assertThat(whole).isBetween(400, 600);
    }

    @Test
    void ejectsAnUpstreamForLongerEachTimeThatItFailsAfterItsReturn() {
        UpstreamBalancer balancer = balancer(
                RecordCopy.with(ejection("maxTime", Duration.ofSeconds(70)), "slowStart", Duration.ZERO), A, B);
        List<Duration> ejections = new ArrayList<>();

        for (int i = 0; i < 3; i++) {
            fail(balancer, A, 5);
            ejections.add(untilReturn(balancer));
        }

        assertThat(ejections).containsExactly(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(70));
    }

    @Test
    void theNextEjectionIsShortIfTheUpstreamWorkedForALongTime() {
        UpstreamBalancer balancer =
                balancer(RecordCopy.with(UpstreamSettings.DEFAULTS, "slowStart", Duration.ZERO), A, B);
        fail(balancer, A, 5);
        assertThat(untilReturn(balancer)).isEqualTo(Duration.ofSeconds(30));
        clock.advance(Duration.ofSeconds(31));

        fail(balancer, A, 5);

        assertThat(untilReturn(balancer)).isEqualTo(Duration.ofSeconds(30));
    }

    /** Advances the clock second by second until no upstream is ejected. */
    private Duration untilReturn(UpstreamBalancer balancer) {
        Duration waited = Duration.ZERO;
        while (!ejected(balancer).isEmpty()) {
            clock.advance(Duration.ofSeconds(1));
            waited = waited.plusSeconds(1);
            balancer.select(null).end(UpstreamResult.IGNORED);
            assertThat(waited).isLessThan(Duration.ofHours(1));
        }
        return waited;
    }

    @Test
    void failuresOfAnEjectedUpstreamThatEndLateAreNotASecondEjection() {
        UpstreamBalancer balancer = balancer(A, B);
        List<UpstreamSelection> open = new ArrayList<>();
        while (open.size() < 20) {
            UpstreamSelection selection = balancer.select(null);
            if (selection.address().equals(A)) {
                open.add(selection);
            }
        }

        open.forEach(each -> each.end(UpstreamResult.FAILURE));

        assertThat(balancer.status().get(0).ejections()).isEqualTo(1);
        assertThat(balancer.status().get(0).failures()).isEqualTo(20);
        assertThat(balancer.status().get(0).inFlight()).isZero();
    }

    @Test
    void aSecondEndOfASelectionHasNoEffect() {
        UpstreamBalancer balancer = balancer(A);
        UpstreamSelection selection = balancer.select(null);

        selection.end(UpstreamResult.SUCCESS);
        selection.end(UpstreamResult.FAILURE);

        assertThat(balancer.status().get(0).inFlight()).isZero();
        assertThat(balancer.status().get(0).failures()).isZero();
    }

    @Test
    void newUpstreamsStartSlowlyAndOthersKeepTheirState() {
        UpstreamBalancer balancer = balancer(A, B);
        callOneByOne(balancer, 100, 1, 1);
        long before = balancer.status().get(0).successes();

        balancer.setUpstreams(List.of(A, B, C));

        assertThat(balancer.status().get(0).successes()).isEqualTo(before);
        assertThat(callOneByOne(balancer, 900, 1, 1, 1).getOrDefault(C, 0)).isLessThan(150);
        clock.advance(UpstreamSettings.DEFAULTS.slowStart());
        assertThat(callOneByOne(balancer, 900, 1, 1, 1).get(C)).isBetween(200, 400);
    }

    @Test
    void aRemovedUpstreamGetsNoFurtherCallAndItsOpenAttemptsDoNoHarm() {
        UpstreamBalancer balancer = balancer(A, B);
        List<UpstreamSelection> open = new ArrayList<>();
        IntStream.range(0, 40).forEach(i -> open.add(balancer.select(null)));

        balancer.setUpstreams(List.of(B));
        open.forEach(each -> each.end(each.address().equals(A) ? UpstreamResult.FAILURE : UpstreamResult.SUCCESS));

        assertThat(callOneByOne(balancer, 100, 1, 1)).containsOnlyKeys(B);
        assertThat(balancer.status()).singleElement().satisfies(each -> {
            assertThat(each.inFlight()).isZero();
            assertThat(each.isOut()).isFalse();
        });
    }

    @Test
    void ejectedUpstreamsReturnIfTooFewOthersRemain() {
        UpstreamBalancer balancer = balancer(A, B, C, D);
        fail(balancer, A, 5);
        clock.advance(Duration.ofSeconds(1));
        fail(balancer, B, 5);

        balancer.setUpstreams(List.of(A, B, C));

        assertThat(ejected(balancer)).containsExactly("b.example:80");
    }

    @Test
    void ejectedUpstreamsReturnIfTheLimitIsLowered() {
        UpstreamBalancer balancer = balancer(A, B);
        fail(balancer, A, 5);

        balancer.applySettings(ejection("maxPercent", 0));

        assertThat(ejected(balancer)).isEmpty();
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A, B, C);
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A, B);
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A, B, C);
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A);
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A, B);
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A);
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
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A.withZone("b"), B);
        balancer.applySettings(RecordCopy.with(WITHOUT_EJECTION, "zone", new ZoneSettings("own", 50)));

        assertThat(selectedHosts(balancer)).containsOnly("a.example", "b.example");
    }

    @Test
    void avoidsAnUpstreamIfThereAreOthers() {
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A, B, C);

        assertThat(IntStream.range(0, 100).mapToObj(i -> balancer.select(A).address()))
                .contains(B, C)
                .doesNotContain(A);
    }

    @Test
    void selectsAnAvoidedUpstreamIfThereIsNoOther() {
        UpstreamBalancer balancer = balancer(WITHOUT_EJECTION, A);

        assertThat(balancer.select(A).address()).isEqualTo(A);
        assertThat(balancer.select(B).address()).isEqualTo(A);
    }
}
