package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.SimulatedDestinations.SimulatedBehaviour;
import io.iocluster.destination.SimulatedDestinations.SimulatedCall;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.message.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that large messages to failing destinations leave bytes to others, on a simulated node with default settings. */
class MessageBytesTest {

    private static final int LARGE = 1_700_000;
    private static final int SLOTS = 300;

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "one", "spread"})
    void largeMessagesToSilentHostsDoNotStopTheReadingForAHostThatAnswers(String silent) {
        SimulatedDestinations node = node(silentUnlessHealthy());

        for (int i = 0; node.millis() < 60_000; i++) {
            putEvery(node, 10, "healthy", 250);
            putEvery(node, 50, silent + i % 200, LARGE);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy"), 17);
    }

    @Test
    void aHostThatAnswersGetsItsLargeMessagesBesideSilentHosts() {
        SimulatedDestinations node = node(silentUnlessHealthy());

        for (int i = 0; node.millis() < 60_000; i++) {
            putEvery(node, 50, "healthy", LARGE);
            putEvery(node, 50, "spread" + i % 200, LARGE);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy"), 17);
    }

    @Test
    void aNewHostGetsBytesBesideSilentHosts() {
        SimulatedDestinations node = node(silentUnlessHealthy());

        for (int i = 0; node.millis() < 30_000; i++) {
            putEvery(node, 50, "one" + i % 200, LARGE);
            putEvery(node, 10, "healthy", 250);
            node.step();
        }
        while (node.millis() < 40_000) {
            putEvery(node, 50, "one" + node.millis() % 200, LARGE);
            putEvery(node, 100, "healthy-newcomer", LARGE);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy-newcomer"), 17);
    }

    @Test
    void configuredDestinationsThatBecomeSilentLeaveBytesToOneThatAnswers() {
        List<String> names = List.of("healthy", "first", "second", "third");
        SimulatedDestinations node = node(
                (host, millis) -> host.equals("healthy") || millis < 2_000
                        ? SimulatedBehaviour.answers(17)
                        : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT),
                names.stream()
                        .map(name -> new DestinationSettings(List.of(name), name, DestinationPolicy.DEFAULTS))
                        .toArray(DestinationSettings[]::new));

        while (node.millis() < 60_000) {
            names.forEach(name -> putEvery(node, 50, name, name.equals("healthy") ? 250 : LARGE));
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy"), 17);
    }

    @Test
    void namesOfOneAddressThatBecomeSilentShareTheBytesOfOne() {
        SimulatedDestinations node = node((host, millis) -> host.startsWith("healthy") || millis < 2_000
                ? SimulatedBehaviour.answers(17)
                : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT));
        IntStream.range(0, 200).forEach(i -> node.put("one" + i));

        for (int i = 0; node.millis() < 12_000; i++) {
            putEvery(node, 10, "healthy", 250);
            putEvery(node, 20, "one" + i % 200, LARGE);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy"), 17);
    }

    @Test
    void aBurstOfLargeMessagesToAHostThatAnswersWaitsAndNoneFails() {
        SimulatedDestinations node =
                node((host, millis) -> SimulatedBehaviour.answers(host.equals("healthy") ? 17 : 100));
        for (int i = 0; node.millis() < 1_000; i++) {
            putEvery(node, 10, "healthy", 250);
            putEvery(node, 100, "large", LARGE);
            node.step();
        }

        IntStream.range(0, 500).forEach(i -> node.put("large", LARGE));
        while (node.millis() < 3_000) {
            putEvery(node, 10, "healthy", 250);
            node.step();
        }

        assertThat(of(node, "large")).allMatch(call -> call.endedMillis >= 0 && !call.rejected);
    }

    @ParameterizedTest
    @ValueSource(ints = {17, 100})
    void aBacklogOfLargeMessagesToSeveralNewHostsWaitsAndNoneFails(int millis) {
        SimulatedDestinations node = node((host, at) -> SimulatedBehaviour.answers(millis));

        IntStream.range(0, 600).forEach(i -> node.put("host" + i % 3, LARGE));
        node.run(3_000);

        assertThat(node.calls()).allMatch(call -> call.endedMillis >= 0 && !call.rejected);
    }

    @Test
    void hostsThatAnswerAndBecomeSilentInTurnReturnAllBytes() {
        SimulatedDestinations node = new SimulatedDestinations(
                SLOTS,
                DestinationFixture.policy(0, 1_000, DestinationFixture.NO_BREAKER),
                (host, millis) -> host.equals("healthy") || millis % 20_000 < 5_000
                        ? SimulatedBehaviour.answers(17)
                        : SimulatedBehaviour.failsAfter(2_000, ErrorCode.TIMEOUT),
                MessageBytesTest::address);
        List<Integer> held = new ArrayList<>();

        for (int i = 0; node.millis() < 100_000; i++) {
            putEvery(node, 10, "healthy", 250);
            putEvery(node, 20, "one" + i % 20, LARGE);
            node.step();
            if (node.millis() % 20_000 == 19_999) {
                held.add(node.status().stream()
                        .filter(each -> each.name().startsWith("one"))
                        .mapToInt(DestinationStatus::inFlight)
                        .sum());
            }
        }

        assertThat(held.get(0)).isBetween(30, 40);
        assertThat(held).allMatch(each -> each.equals(held.get(0)));
    }

    @Test
    void aNewHostGetsBytesBesideASilentOneThatWasCalledAlone() {
        SimulatedDestinations node = node(silentUnlessHealthy());
        IntStream.range(0, 80).forEach(i -> node.put("one", LARGE));
        node.run(11_000);

        while (node.millis() < 20_000) {
            putEvery(node, 20, "healthy", LARGE);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy"), 17);
    }

    @Test
    void aNewHostGetsBytesForSmallMessagesIfNoAddressIsKnown() {
        SimulatedDestinations node = node(silentUnlessHealthy());
        IntStream.range(0, 80).forEach(i -> node.put("silent", LARGE));
        node.run(11_000);

        while (node.millis() < 20_000) {
            putEvery(node, 20, "healthy", 250);
            node.step();
        }
        node.run(1_000);

        assertUnaffected(of(node, "healthy"), 17);
    }

    @Test
    void aSilentHostThatIsCalledAloneMayUseAllBytes() {
        SimulatedDestinations node = node(silentUnlessHealthy());

        IntStream.range(0, 200).forEach(i -> node.put("silent", LARGE));
        node.run(1_000);

        assertThat(node.status()).anyMatch(each -> each.inFlight() == (192 << 20) / LARGE);
    }

    private static SimulatedDestinations node(
            BiFunction<String, Integer, SimulatedBehaviour> targets, DestinationSettings... entries) {
        return new SimulatedDestinations(
                SLOTS, DestinationPolicy.DEFAULTS, targets, MessageBytesTest::address, entries);
    }

    private static String address(String host) {
        if (host.startsWith("spread")) {
            return "203.0.113." + Integer.parseInt(host.substring("spread".length())) % 50;
        }
        return host.startsWith("one") ? "203.0.113.1" : null;
    }

    private static BiFunction<String, Integer, SimulatedBehaviour> silentUnlessHealthy() {
        return (host, millis) -> host.startsWith("healthy")
                ? SimulatedBehaviour.answers(17)
                : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT);
    }

    private static void putEvery(SimulatedDestinations node, int millis, String host, int bytes) {
        if (node.millis() % millis == 0) {
            node.put(host, bytes);
        }
    }

    private static List<SimulatedCall> of(SimulatedDestinations node, String host) {
        return node.calls().stream().filter(call -> call.host.equals(host)).toList();
    }

    private static void assertUnaffected(List<SimulatedCall> calls, int serviceMillis) {
        assertThat(calls).isNotEmpty().noneMatch(call -> call.rejected);
        assertThat(calls.stream()
                        .mapToInt(
                                call -> call.endedMillis < 0 ? Integer.MAX_VALUE : call.endedMillis - call.queuedMillis)
                        .max()
                        .orElseThrow())
                .as("maximum of ms from the queue to the answer")
                .isLessThanOrEqualTo(serviceMillis + 100);
    }
}
