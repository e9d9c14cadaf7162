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
 * A node in simulated time, in steps of a millisecond: one queue that is read in order, the real destinations, and targets that
 * answer or time out after a given time.
 */
final class SimulatedDestinations implements NodeCapacity {

    private static final int MAX_WAITING = 2_000;
    private static final int TICK_MILLIS = 10;

    /** A target at some time: how long a call takes there and how it ends. */
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

    /** One call; its times are milliseconds of the simulation, and -1 before they are known. */
    final class SimulatedCall implements PendingCall {

        final String host;
        final int queuedMillis;
        int takenMillis = -1;
        int endedMillis = -1;
        boolean refused;
        private AttemptPermit pass;
        private SimulatedBehaviour behaviour;
        private long deadlineNanos;

        SimulatedCall(String host) {
            this.host = host;
            this.queuedMillis = millis;
        }

        @Override
        public long deadlineNanos() {
            return deadlineNanos;
        }

        @Override
        public long heldBytes() {
            return 250;
        }

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public boolean tryAcquireSlot() {
            if (open >= places) {
                return false;
            }
            open++;
            return true;
        }

        @Override
        public void onAdmitted(AttemptPermit taken) {
            pass = taken;
        }
    }

    private record End(int millis, SimulatedCall call) {}

    private final int places;
    private final DestinationRegistry<SimulatedCall> destinations;
    private final Queue<SimulatedCall> queue = new ArrayDeque<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingInt(End::millis));
    private final List<SimulatedCall> offered = new ArrayList<>();
    private final BiFunction<String, Integer, SimulatedBehaviour> targets;
    private int millis;
    private int open;
    private int waiting;

    /**
     * A node.
     *
     * @param targets returns how a call to a host that starts at a time will end
     * @param addresses returns the address of a host, or null
     */
    SimulatedDestinations(
            int places,
            DestinationPolicy others,
            BiFunction<String, Integer, SimulatedBehaviour> targets,
            UnaryOperator<String> addresses,
            DestinationSettings... entries) {
        this.places = places;
        this.targets = targets;
        this.destinations =
                new DestinationRegistry<>(List.of(entries), others, 10_000, 75, this, addresses, this::nanos);
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

    /** All calls that were put on the queue. */
    List<SimulatedCall> calls() {
        return offered;
    }

    List<DestinationStatus> status() {
        return destinations.status();
    }

    /** A millisecond passes. */
    void step() {
        millis++;
        while (!ends.isEmpty() && ends.peek().millis() <= millis) {
            end(ends.remove().call());
        }
        if (millis % TICK_MILLIS == 0) {
            destinations.tick(this::expire, this::beginWaiting);
        }
        while (!queue.isEmpty() && open < places && takeIn(queue.peek())) {
            queue.remove();
        }
    }

    private boolean takeIn(SimulatedCall call) {
        call.deadlineNanos = nanos() + Duration.ofSeconds(30).toNanos();
        switch (at(call.host).offer(call)) {
            case ADMITTED -> begin(call);
            case QUEUED -> waiting++;
            case QUEUE_FULL, BREAKER_OPEN -> call.refused = true;
            case BACKPRESSURE -> {
                return false;
            }
        }
        call.takenMillis = millis;
        return true;
    }

    private Destination<SimulatedCall> at(String host) {
        return destinations.destinationFor(new Origin("https", host, 443));
    }

    private void begin(SimulatedCall call) {
        call.behaviour = targets.apply(call.host, millis);
        ends.add(new End(millis + call.behaviour.millis(), call));
    }

    private void beginWaiting(SimulatedCall call) {
        waiting--;
        begin(call);
    }

    private void expire(SimulatedCall call) {
        waiting--;
        call.refused = true;
    }

    private void end(SimulatedCall call) {
        open--;
        call.endedMillis = millis;
        call.pass.complete(call.behaviour.result());
        Destination<SimulatedCall> destination = at(call.host);
        for (SimulatedCall next = destination.admitNext(); next != null; next = destination.admitNext()) {
            beginWaiting(next);
        }
    }

    @Override
    public int slots() {
        return places;
    }

    @Override
    public int freeSlots() {
        return places - open;
    }

    @Override
    public int freeQueueSlots() {
        return MAX_WAITING - waiting;
    }

    @Override
    public long freeBytes() {
        return 1L << 28;
    }

    @Override
    public long reservableBytes() {
        return 1L << 27;
    }
}
