package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that each destination gets some of the bytes that calls reserve for their answers. */
class ReservedBytesTest {

    private static final int DESTINATIONS = 6;
    private static final int BACKLOG = 100;

    private final FakeNodeCapacity node = new FakeNodeCapacity();
    private final Queue<FakePendingCall> running = new ArrayDeque<>();
    private final Map<FakePendingCall, Destination<FakePendingCall>> destinations = new HashMap<>();
    private final Map<String, Integer> started = new HashMap<>();
    private long nanos;
    private final DestinationRegistry<FakePendingCall> registry = new DestinationRegistry<>(
            IntStream.range(0, DESTINATIONS)
                    .mapToObj(i -> new DestinationSettings(List.of(host(i)), host(i), DestinationPolicy.DEFAULTS))
                    .toList(),
            DestinationPolicy.DEFAULTS,
            10,
            75,
            node,
            this::start,
            host -> null,
            new FakeClock(() -> nanos),
            new Random(1));

    /** The largest reservation that the settings allow is four tenths of the reservable bytes. */
    @ParameterizedTest
    @ValueSource(ints = {10, 150, 250, 400})
    void eachOfSeveralDestinationsWithABacklogStartsCalls(int reserve) {
        for (int i = 0; i < DESTINATIONS; i++) {
            for (int call = 0; call < BACKLOG; call++) {
                offer(host(i), reserve);
            }
        }

        for (int ended = 0; ended < DESTINATIONS * BACKLOG / 2; ended++) {
            if (running.isEmpty() || ended % 10 == 0) {
                tick();
            }
            end(running.remove());
        }

        assertThat(started)
                .hasSize(DESTINATIONS)
                .allSatisfy((host, calls) -> assertThat(calls).as(host).isGreaterThanOrEqualTo(BACKLOG / 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {250, 400})
    void aDestinationThatNoLongerWaitsForBytesDelaysNoOther(int reserve) {
        for (int i = 0; i < DESTINATIONS - 1; i++) {
            offer(host(i), reserve);
            offer(host(i), reserve);
        }
        String last = host(DESTINATIONS - 1);
        FakePendingCall gone = offer(last, reserve);
        tick();
        gone.permit.tryEnd();
        tick();

        while (!running.isEmpty()) {
            end(running.remove());
            tick();
        }

        assertThat(started)
                .hasSize(DESTINATIONS - 1)
                .allSatisfy((host, calls) -> assertThat(calls).as(host).isEqualTo(2));
    }

    /** Found by seed 89 of the simulation: each left the queue and joined it again behind the other, and the thread never returned. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void anEndedCallDispatchesEachDestinationOnceWhileTooManyAnswersAreUnconfirmed() {
        FakePendingCall first = offer(host(0), 400);
        offer(host(1), 400);
        offer(host(2), 400);
        offer(host(3), 400);
        tick();
        node.full = true;

        running.remove(first);
        end(first);

        assertThat(started).containsOnlyKeys(host(0), host(1));
        node.full = false;
        tick();
        assertThat(started).containsOnlyKeys(host(0), host(1), host(2));
    }

    private static String host(int number) {
        return "host" + number + ".example";
    }

    private FakePendingCall offer(String host, int reserve) {
        Destination<FakePendingCall> destination = registry.destinationFor(new Origin("https", host, 443));
        FakePendingCall call =
                new FakePendingCall(node, nanos + Duration.ofHours(1).toNanos());
        call.permit.setResponseReserve(reserve);
        destinations.put(call, destination);
        assertThat(destination.offer(call)).isIn(Admission.ADMITTED, Admission.QUEUED);
        return call;
    }

    private void start(FakePendingCall call) {
        running.add(call);
        started.merge(destinations.get(call).name(), 1, Integer::sum);
    }

    private void end(FakePendingCall call) {
        nanos += Duration.ofMillis(1).toNanos();
        call.respond(200);
        call.permit.tryEnd();
        destinations.get(call).dispatchWaiting();
    }

    private void tick() {
        nanos += Duration.ofMillis(10).toNanos();
        registry.tick(expired -> {});
    }
}
