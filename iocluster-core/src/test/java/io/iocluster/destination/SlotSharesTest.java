package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.SimulatedDestinations.SimulatedBehaviour;
import io.iocluster.destination.SimulatedDestinations.SimulatedCall;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a healthy destination keeps its slots beside failing ones, on a simulated node with default settings. */
class SlotSharesTest {

    private static final int FAILING_FROM_MILLIS = 2_000;

    @ParameterizedTest
    @ValueSource(ints = {20, 100, 150, 250})
    void twoDestinationsThatFailAtTheSameTimeDoNotSlowDownAHealthyOne(int healthyMillis) {
        SimulatedDestinations node = node(512, (host, millis) -> {
            if (host.equals("healthy")) {
                return SimulatedBehaviour.answers(healthyMillis);
            }
            if (millis < FAILING_FROM_MILLIS) {
                return SimulatedBehaviour.answers(100);
            }
            return host.equals("slow")
                    ? SimulatedBehaviour.answers(5_000)
                    : SimulatedBehaviour.failsAfter(3_000, ErrorCode.CONNECT_TIMEOUT);
        });

        while (node.millis() < FAILING_FROM_MILLIS + 5_000) {
            node.put("healthy");
            put(node, "black-hole", 300);
            put(node, "slow", 100);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(since(node, "healthy", FAILING_FROM_MILLIS), healthyMillis);
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 100, 300})
    void twoHostsThatHangLeaveTheGuaranteeOfAHealthyOneFreeBesideAnEntry(int slots) {
        DestinationSettings entry = new DestinationSettings(List.of("entry"), "entry", DestinationPolicy.DEFAULTS);
        SimulatedDestinations node = node(
                slots,
                (host, millis) -> host.equals("healthy") || millis < FAILING_FROM_MILLIS
                        ? SimulatedBehaviour.answers(100)
                        : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT),
                entry);

        while (node.millis() < FAILING_FROM_MILLIS + 5_000) {
            // Needs a fifth of the slots that hosts without an entry may hold.
            put(node, "healthy", slots * 3 / 2);
            put(node, "hanging", slots * 2);
            put(node, "also-hanging", slots * 2);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(since(node, "healthy", FAILING_FROM_MILLIS), 100);
    }

    @Test
    void moreHostsThanSlotsKeepTheNodeBusy() {
        SimulatedDestinations node = node(300, (host, millis) -> SimulatedBehaviour.answers(2));
        for (int i = 0; i < 60_000; i++) {
            node.put("host" + i % 1_000);
        }

        node.run(2_000);

        assertThat(node.calls()).as("calls after 2 s").allMatch(call -> call.endedMillis >= 0);
    }

    @Test
    void aDestinationWhoseBreakerIsDueGetsTheNextFreeSlot() {
        DestinationFixture fixture = new DestinationFixture(DestinationFixture.policy(
                0,
                100,
                new BreakerSettings(
                        true,
                        50,
                        2,
                        2,
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(1),
                        1,
                        DestinationFixture.FAILURES,
                        false)));
        fixture.node.freeSlots = 1;
        Destination<FakePendingCall> failed = fixture.at("failed.example");
        Destination<FakePendingCall> healthy = fixture.at("healthy.example");
        fixture.admitted(failed).respond(503);
        fixture.admitted(failed).respond(503);
        FakePendingCall ends = fixture.admitted(healthy);
        assertThat(failed.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        fixture.advance(Duration.ofSeconds(6));

        ends.respond(200);
        healthy.dispatchWaiting();

        assertThat(failed.status().inFlight()).isEqualTo(1);
    }

    @Test
    void silentHostsThatWaitDoNotKeepAFreeSlotFromAHealthyOne() {
        DestinationPolicy policy = DestinationFixture.policy(0, 100, DestinationFixture.NO_BREAKER);
        DestinationFixture fixture = new DestinationFixture(
                policy,
                1_000,
                new DestinationSettings(List.of("healthy"), "healthy", policy),
                new DestinationSettings(List.of("third"), "third", policy));
        fixture.node.freeSlots = 7;
        Destination<FakePendingCall> third = fixture.at("third");
        Destination<FakePendingCall> healthy = fixture.at("healthy");
        FakePendingCall ends = fixture.admitted(third);
        // Four of these start, and the others wait.
        IntStream.range(0, 7).forEach(i -> fixture.at("silent" + i).offer(fixture.call()));
        fixture.admitted(healthy);
        fixture.admitted(third);
        assertThat(healthy.offer(fixture.call())).isEqualTo(Admission.QUEUED);

        ends.respond(200);
        third.dispatchWaiting();

        assertThat(healthy.status().inFlight()).isEqualTo(2);
    }

    @Test
    void manySilentHostsDoNotSlowDownAHostThatAnswers() {
        SimulatedDestinations node = node(300, SlotSharesTest::silentUnlessHealthy);
        putHealthy(node, 1_000);

        IntStream.range(0, 300).forEach(i -> node.put("silent" + i));
        for (int i = 0; node.millis() < 11_000; i++) {
            put(node, "healthy", 100);
            put(node, "silent" + i % 3_000, 40);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(since(node, "healthy", 1_000), 17);
    }

    @Test
    void silentCallsThatOutlastTheRecentTimeDoNotSlowDownAHostThatAnswers() {
        SimulatedDestinations node = node(
                300,
                (host, millis) -> host.equals("healthy")
                        ? SimulatedBehaviour.answers(17)
                        : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT));
        putHealthy(node, 1_000);

        IntStream.range(0, 600).forEach(i -> node.put("silent" + i));
        while (node.millis() < 25_000) {
            put(node, "healthy", 20);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(since(node, "healthy", 1_000), 17);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "spread"})
    void aNewHostGetsASlotBesideManySilentNamesOfSomeAddresses(String silent) {
        SimulatedDestinations node = node(
                300,
                (host, millis) -> host.startsWith("healthy")
                        ? SimulatedBehaviour.answers(17)
                        : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT));
        putHealthy(node, 1_000);

        IntStream.range(0, 600).forEach(i -> node.put(silent + i));
        node.run(1_000);
        while (node.millis() < 20_000) {
            put(node, "healthy-newcomer", 20);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(since(node, "healthy-newcomer", 2_000), 17);
    }

    @Test
    void manyNamesOfOneAddressShareTheSlotsOfOne() {
        SimulatedDestinations node = node(
                300,
                (host, millis) -> host.startsWith("healthy") || millis < 1_000
                        ? SimulatedBehaviour.answers(17)
                        : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT));
        // Each name answers once, so that it does not count as silent.
        IntStream.range(0, 400).forEach(i -> node.put("name" + i));
        putHealthy(node, 1_000);

        for (int i = 0; node.millis() < 5_000; i++) {
            put(node, "healthy", 500);
            node.put("name" + i % 400);
            node.step();
        }
        node.put("healthy-newcomer");
        node.run(1_000);

        assertUnaffected(since(node, "healthy", 1_000), 17);
        assertUnaffected(since(node, "healthy-newcomer", 1_000), 17);
    }

    @Test
    void aConfiguredDestinationGetsSlotsEvenIfOthersWereCalledFirst() {
        DestinationSettings entry = new DestinationSettings(List.of("healthy"), "healthy", DestinationPolicy.DEFAULTS);
        SimulatedDestinations node = node(300, SlotSharesTest::silentUnlessHealthy, entry);
        IntStream.range(0, 1_000).forEach(i -> node.put("silent" + i));
        node.run(1_000);
        assertThat(heldBy(node, "silent")).isBetween(100, 225);

        while (node.millis() < 5_000) {
            put(node, "healthy", 500);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(since(node, "healthy", 1_000), 17);
    }

    @Test
    void aBurstForASlowDestinationStopsReadingForAtMostATenthOfASecond() {
        SimulatedDestinations node =
                node(300, (host, millis) -> SimulatedBehaviour.answers(host.equals("healthy") ? 17 : 5_000));
        putHealthy(node, 1_000);

        IntStream.range(0, 5_000).forEach(i -> node.put("slow"));
        while (node.millis() < 3_000) {
            put(node, "healthy", 100);
            node.step();
        }

        assertThat(since(node, "healthy", 1_000)).allMatch(call -> call.acceptedMillis - call.queuedMillis <= 100);
    }

    @Test
    void aRejectedNewHostGetsTheNextSlotThatSilentHostsRelease() {
        DestinationFixture fixture =
                new DestinationFixture(DestinationFixture.policy(0, 100, DestinationFixture.NO_BREAKER));
        fixture.node.freeSlots = 100;
        fixture.node.freeQueueSlots = 0;
        Destination<FakePendingCall> silent = fixture.at("silent.example");
        Destination<FakePendingCall> alsoSilent = fixture.at("also-silent.example");
        FakePendingCall oldest = fixture.admitted(silent);
        for (int i = 0; i < 100; i++) {
            silent.offer(fixture.call());
            alsoSilent.offer(fixture.call());
            fixture.advance(Duration.ofMillis(100));
        }
        assertThat(fixture.node.takenSlots).isEqualTo(88);
        Destination<FakePendingCall> newHost = fixture.at("new.example");
        assertThat(newHost.offer(fixture.call())).isNotEqualTo(Admission.ADMITTED);

        oldest.fail(ErrorCode.TIMEOUT);
        fixture.advance(Duration.ofMillis(100));
        silent.offer(fixture.call());

        assertThat(newHost.offer(fixture.call())).isEqualTo(Admission.ADMITTED);
    }

    @Test
    void leavesAThirdOfTheSlotsFreeWhenAnotherDestinationIsCalled() {
        DestinationFixture fixture =
                new DestinationFixture(DestinationFixture.policy(0, 1_000, DestinationFixture.NO_BREAKER));
        fixture.node.freeSlots = 300;
        Destination<FakePendingCall> a = fixture.at("a.example");
        FakePendingCall first = fixture.admitted(a);
        fixture.admitted(fixture.at("b.example")).respond(200);
        fixture.advance(Duration.ofSeconds(1));

        for (int i = 0; i < 400; i++) {
            a.offer(fixture.call());
        }

        assertThat(a.status().inFlight()).isEqualTo(200);
        FakePendingCall ofB = fixture.admitted(fixture.at("b.example"));
        first.respond(200);
        fixture.advance(Duration.ofSeconds(11));
        assertThat(fixture.node.freeSlots).isPositive();
        ofB.respond(200);
        fixture.advance(Duration.ofSeconds(11));
        assertThat(fixture.node.freeSlots).isZero();
    }

    @Test
    void noDestinationReservesAllBytesAndEachGetsSome() {
        DestinationFixture fixture =
                new DestinationFixture(DestinationFixture.policy(0, 0, DestinationFixture.NO_BREAKER));

        List<FakePendingCall> alone = reserving(fixture, "a.example");
        List<FakePendingCall> second = reserving(fixture, "b.example");
        List<FakePendingCall> third = reserving(fixture, "c.example");

        assertThat(alone).hasSize(87);
        assertThat(second).hasSize(8);
        assertThat(third).hasSize(3);
        assertThat(fixture.at("a.example").offer(fixture.call())).isEqualTo(Admission.ADMITTED);
        second.forEach(call -> call.respond(200));
        alone.forEach(call -> call.respond(200));
        assertThat(reserving(fixture, "b.example")).hasSize(64);
    }

    /** Makes calls that reserve a hundredth each, until one is not admitted. */
    private static List<FakePendingCall> reserving(DestinationFixture fixture, String host) {
        // The host has answered, so it gets its own group.
        fixture.admitted(fixture.at(host)).respond(200);
        fixture.advance(Duration.ofMillis(100));
        List<FakePendingCall> admitted = new ArrayList<>();
        FakePendingCall next = fixture.call();
        next.permit.setResponseReserve(10);
        while (admitted.size() < 200 && fixture.at(host).offer(next) == Admission.ADMITTED) {
            admitted.add(next);
            next = fixture.call();
            next.permit.setResponseReserve(10);
        }
        return admitted;
    }

    @Test
    void oneBadHostBeyondTheLimitDoesNotStopTheOthers() {
        DestinationFixture fixture = new DestinationFixture(DestinationPolicy.DEFAULTS, 0);
        Destination<FakePendingCall> other = fixture.at("bad.example");
        for (int i = 0; i < 100; i++) {
            fixture.admitted(other).respondBusy(503, "60");
        }

        assertThat(other.name()).isEqualTo("other");
        assertThat(fixture.at("good.example").offer(fixture.call())).isEqualTo(Admission.ADMITTED);
    }

    private static SimulatedDestinations node(
            int slots, BiFunction<String, Integer, SimulatedBehaviour> targets, DestinationSettings... entries) {
        return new SimulatedDestinations(slots, DestinationPolicy.DEFAULTS, targets, SlotSharesTest::address, entries);
    }

    /** Returns one address for all names, and one of thirty for the names that are spread. */
    private static String address(String host) {
        if (host.startsWith("spread")) {
            return "203.0.113." + Integer.parseInt(host.substring("spread".length())) % 30;
        }
        return host.startsWith("name") ? "203.0.113.1" : null;
    }

    private static SimulatedBehaviour silentUnlessHealthy(String host, int millis) {
        return host.equals("healthy")
                ? SimulatedBehaviour.answers(17)
                : SimulatedBehaviour.failsAfter(10_000, ErrorCode.TIMEOUT);
    }

    private static void putHealthy(SimulatedDestinations node, int untilMillis) {
        while (node.millis() < untilMillis) {
            put(node, "healthy", 100);
            node.step();
        }
    }

    /** Puts calls on the queue at an even rate. */
    private static void put(SimulatedDestinations node, String host, int perSecond) {
        long before = (long) node.millis() * perSecond / 1_000;
        long after = (node.millis() + 1L) * perSecond / 1_000;
        for (long i = before; i < after; i++) {
            node.put(host);
        }
    }

    private static int heldBy(SimulatedDestinations node, String prefix) {
        return node.status().stream()
                .filter(each -> each.name().startsWith(prefix))
                .mapToInt(DestinationStatus::inFlight)
                .sum();
    }

    private static List<SimulatedCall> since(SimulatedDestinations node, String host, int millis) {
        return node.calls().stream()
                .filter(call -> call.host.equals(host) && call.queuedMillis >= millis)
                .toList();
    }

    private static void assertUnaffected(List<SimulatedCall> calls, int serviceMillis) {
        assertThat(calls).noneMatch(call -> call.rejected);
        assertThat(percentile(50, calls)).as("median ms").isLessThanOrEqualTo(serviceMillis + 10);
        assertThat(percentile(99, calls)).as("99th percentile ms").isLessThanOrEqualTo(serviceMillis + 100);
        assertThat(calls.stream().mapToInt(call -> call.acceptedMillis - call.queuedMillis))
                .as("stalls of intake, ms")
                .allMatch(stall -> stall <= 100);
    }

    /** Returns the percentile of the time from the queue to the answer, in milliseconds. */
    private static int percentile(int percent, List<SimulatedCall> calls) {
        int[] sorted = calls.stream()
                .mapToInt(call -> call.endedMillis < 0 ? Integer.MAX_VALUE : call.endedMillis - call.queuedMillis)
                .sorted()
                .toArray();
        return sorted[sorted.length * percent / 100];
    }
}
