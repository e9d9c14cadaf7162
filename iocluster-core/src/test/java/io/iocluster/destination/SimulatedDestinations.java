package io.iocluster.destination;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A node in simulated time, in steps of a millisecond: one queue that is read in order, the real destinations, and
 * targets that answer or time out after a given time.
 */
final class SimulatedDestinations {

    private static final int MAX_WAITING = 2_000;
    private static final int TICK_MILLIS = 10;

    /** What a target does at a given time: how long a call takes and how it ends. */
    record SimulatedBehaviour(int millis, HttpResult result) {

        static SimulatedBehaviour answers(int millis) {
            return new SimulatedBehaviour(
                    millis, new HttpResult.Response(200, List.of(), new byte[0], false, AttemptTiming.NONE));
        }

        static SimulatedBehaviour failsAfter(int millis, ErrorCode code) {
            return new SimulatedBehaviour(
                    millis, new HttpResult.Failure(code, "because", SentStatus.MAYBE, AttemptTiming.NONE));
        }
    }

    /** One call. Its times are milliseconds of the simulation, or -1 while unknown. */
    final class SimulatedCall implements PendingCall {

        final String host;
        final int queuedMillis;
        int acceptedMillis = -1;
        int endedMillis = -1;
        boolean rejected;
        private final CallPermit permit = new CallPermit(capacity, 250);
        private boolean queued;
        private SimulatedBehaviour behaviour;
        private long deadlineNanos;

        SimulatedCall(String host) {
            this.host = host;
            this.queuedMillis = millis;
        }

        @Override
        public CallPermit permit() {
            return permit;
        }

        @Override
        public long deadlineNanos() {
            return deadlineNanos;
        }

        @Override
        public long queuedBytes() {
            return 250;
        }
    }

    private record End(int millis, SimulatedCall call) {}

    private final FakeNodeCapacity capacity = new FakeNodeCapacity();
    private final DestinationRegistry<SimulatedCall> destinations;
    private final Queue<SimulatedCall> queue = new ArrayDeque<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingInt(End::millis));
    private final List<SimulatedCall> offered = new ArrayList<>();
    private final BiFunction<String, Integer, SimulatedBehaviour> targets;
    private int millis;

    /**
     * Creates a node.
     *
     * @param targets returns how a call to a host that starts at a time will end
     * @param addresses returns the address of a host, or null
     */
    SimulatedDestinations(
            int slots,
            DestinationPolicy others,
            BiFunction<String, Integer, SimulatedBehaviour> targets,
            UnaryOperator<String> addresses,
            DestinationSettings... entries) {
        capacity.freeSlots = slots;
        capacity.freeQueueSlots = MAX_WAITING;
        capacity.freeBytes = 1L << 28;
        capacity.reservableBytes = 1L << 27;
        this.targets = targets;
        this.destinations = new DestinationRegistry<>(
                List.of(entries), others, 10_000, 75, capacity, this::start, addresses, this::nanos);
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    int millis() {
        return millis;
    }

    /** Puts a call to this host on the queue. */
    void put(String host) {
        SimulatedCall call = new SimulatedCall(host);
        offered.add(call);
        queue.add(call);
    }

    /** Returns all calls that were put on the queue. */
    List<SimulatedCall> calls() {
        return offered;
    }

    List<DestinationStatus> status() {
        return destinations.status();
    }

    /** Advances the clock by a millisecond. */
    void step() {
        millis++;
        while (!ends.isEmpty() && ends.peek().millis() <= millis) {
            end(ends.remove().call());
        }
        if (millis % TICK_MILLIS == 0) {
            destinations.tick(this::expire);
        }
        while (!queue.isEmpty() && capacity.freeSlots > 0 && tryOffer(queue.peek())) {
            queue.remove();
        }
    }

    private boolean tryOffer(SimulatedCall call) {
        call.deadlineNanos = nanos() + Duration.ofSeconds(30).toNanos();
        switch (at(call.host).offer(call)) {
            case ADMITTED -> {}
            case QUEUED -> {
                call.queued = true;
                capacity.freeQueueSlots--;
            }
            case QUEUE_FULL, BREAKER_OPEN -> call.rejected = true;
            case BACKPRESSURE -> {
                return false;
            }
        }
        call.acceptedMillis = millis;
        return true;
    }

    private Destination<SimulatedCall> at(String host) {
        return destinations.destinationFor(new Origin("https", host, 443));
    }

    private void start(SimulatedCall call) {
        if (call.queued) {
            capacity.freeQueueSlots++;
        }
        call.behaviour = targets.apply(call.host, millis);
        ends.add(new End(millis + call.behaviour.millis(), call));
    }

    private void expire(SimulatedCall call) {
        capacity.freeQueueSlots++;
        call.rejected = true;
    }

    private void end(SimulatedCall call) {
        call.endedMillis = millis;
        call.permit.completeAttempt(call.behaviour.result());
        call.permit.tryEnd();
        at(call.host).dispatchWaiting();
    }
}
