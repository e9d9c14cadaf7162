package io.iocluster.destination;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
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
    private static final int SMALL = 250;

    /** What a target does at a given time: how long a call takes and how it ends. */
    record SimulatedBehaviour(int millis, HttpResult result) {

        static SimulatedBehaviour answers(int millis) {
            return new SimulatedBehaviour(
                    millis, new HttpResult.Response(200, List.of(), new byte[0], false, AttemptTiming.NONE));
        }

        static SimulatedBehaviour failsAfter(int millis, ErrorCode code) {
            return new SimulatedBehaviour(
                    millis, new HttpResult.Failure(code, "because", Certainty.UNKNOWN, AttemptTiming.NONE));
        }
    }

    /** One call. Its times are milliseconds of the simulation, or -1 while unknown. */
    final class SimulatedCall implements PendingCall {

        final String host;
        final int queuedMillis;
        int acceptedMillis = -1;
        int endedMillis = -1;
        boolean rejected;
        private final int bytes;
        private final CallPermit permit;
        private boolean queued;
        private SimulatedBehaviour behaviour;
        private long deadlineNanos;

        SimulatedCall(String host, int bytes) {
            this.host = host;
            this.bytes = bytes;
            this.permit = new CallPermit(capacity, bytes);
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
            return bytes;
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
        capacity.maxMessageBytes = 192L << 20;
        capacity.freeBytes = capacity.maxMessageBytes;
        capacity.reservableBytes = 1L << 27;
        this.targets = targets;
        this.destinations = new DestinationRegistry<>(
                List.of(entries),
                others,
                10_000,
                75,
                capacity,
                this::start,
                addresses,
                new FakeClock(this::nanos),
                new Random(1));
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    int millis() {
        return millis;
    }

    /** Puts a call to this host on the queue. */
    void put(String host) {
        put(host, SMALL);
    }

    /** Puts a call on the queue whose message has this many bytes. */
    void put(String host, int bytes) {
        SimulatedCall call = new SimulatedCall(host, bytes);
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

    /** Steps through this many milliseconds. */
    void run(int length) {
        int end = millis + length;
        while (millis < end) {
            step();
        }
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
        while (!queue.isEmpty() && hasRoom(queue.peek()) && tryOffer(queue.peek())) {
            queue.remove();
        }
    }

    private boolean hasRoom(SimulatedCall call) {
        return capacity.freeSlots > 0 && call.bytes <= capacity.freeBytes;
    }

    private boolean tryOffer(SimulatedCall call) {
        capacity.freeBytes -= call.bytes;
        call.deadlineNanos = nanos() + Duration.ofSeconds(30).toNanos();
        switch (at(call.host).offer(call)) {
            case ADMITTED -> {}
            case QUEUED -> {
                call.queued = true;
                capacity.freeQueueSlots--;
            }
            case QUEUE_FULL, BREAKER_OPEN, OVER_QUOTA -> reject(call);
            case BACKPRESSURE -> {
                capacity.freeBytes += call.bytes;
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
        reject(call);
    }

    private void reject(SimulatedCall call) {
        capacity.freeBytes += call.bytes;
        call.rejected = true;
    }

    private void end(SimulatedCall call) {
        call.endedMillis = millis;
        call.permit.completeAttempt(call.behaviour.result());
        call.permit.tryEnd();
        capacity.freeBytes += call.bytes;
        at(call.host).dispatchWaiting();
    }
}
