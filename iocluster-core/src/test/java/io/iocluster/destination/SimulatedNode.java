package io.iocluster.destination;

import io.iocluster.egress.Origin;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Sent;
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
final class SimulatedNode implements NodeRoom {

    private static final int MAX_WAITING = 2_000;
    private static final int TICK_MILLIS = 10;

    /** A target at some time: how long a call takes there and how it ends. */
    record Behaviour(int millis, HttpResult result) {

        static Behaviour answers(int millis) {
            return new Behaviour(
                    millis, new HttpResult.Response(200, List.of(), new byte[0], false, AttemptTiming.NONE));
        }

        static Behaviour failsAfter(int millis, ErrorCode code) {
            return new Behaviour(millis, new HttpResult.Failure(code, "because", Sent.MAYBE, AttemptTiming.NONE));
        }
    }

    /** One call; its times are milliseconds of the simulation, and -1 before they are known. */
    final class Call implements PendingCall {

        final String host;
        final int queuedMillis;
        int takenMillis = -1;
        int endedMillis = -1;
        boolean refused;
        private Pass pass;
        private Behaviour behaviour;
        private long deadlineNanos;

        Call(String host) {
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
        public boolean tryTakePlace() {
            if (open >= places) {
                return false;
            }
            open++;
            return true;
        }

        @Override
        public void admitted(Pass taken) {
            pass = taken;
        }
    }

    private record End(int millis, Call call) {}

    private final int places;
    private final Destinations<Call> destinations;
    private final Queue<Call> queue = new ArrayDeque<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingInt(End::millis));
    private final List<Call> offered = new ArrayList<>();
    private final BiFunction<String, Integer, Behaviour> targets;
    private int millis;
    private int open;
    private int waiting;

    /**
     * A node.
     *
     * @param targets returns how a call to a host that starts at a time will end
     * @param addresses returns the address of a host, or null
     */
    SimulatedNode(
            int places,
            DestinationPolicy others,
            BiFunction<String, Integer, Behaviour> targets,
            UnaryOperator<String> addresses,
            DestinationSettings... entries) {
        this.places = places;
        this.targets = targets;
        this.destinations = new Destinations<>(List.of(entries), others, 10_000, 75, this, addresses, this::nanos);
    }

    private long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    int millis() {
        return millis;
    }

    /** Puts a call to this host on the queue. */
    void put(String host) {
        Call call = new Call(host);
        offered.add(call);
        queue.add(call);
    }

    /** All calls that were put on the queue. */
    List<Call> calls() {
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

    private boolean takeIn(Call call) {
        call.deadlineNanos = nanos() + Duration.ofSeconds(30).toNanos();
        switch (at(call.host).arrive(call)) {
            case ADMITTED -> begin(call);
            case WAITS -> waiting++;
            case FULL, BREAKER_OPEN -> call.refused = true;
            case AGAIN -> {
                return false;
            }
        }
        call.takenMillis = millis;
        return true;
    }

    private Destination<Call> at(String host) {
        return destinations.of(new Origin("https", host, 443));
    }

    private void begin(Call call) {
        call.behaviour = targets.apply(call.host, millis);
        ends.add(new End(millis + call.behaviour.millis(), call));
    }

    private void beginWaiting(Call call) {
        waiting--;
        begin(call);
    }

    private void expire(Call call) {
        waiting--;
        call.refused = true;
    }

    private void end(Call call) {
        open--;
        call.endedMillis = millis;
        call.pass.ended(call.behaviour.result());
        Destination<Call> destination = at(call.host);
        for (Call next = destination.next(); next != null; next = destination.next()) {
            beginWaiting(next);
        }
    }

    @Override
    public int places() {
        return places;
    }

    @Override
    public int freePlaces() {
        return places - open;
    }

    @Override
    public int freeWaiting() {
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
