package io.iocluster.pipeline;

import io.iocluster.destination.Arrival;
import io.iocluster.destination.Destination;
import io.iocluster.destination.Destinations;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each call its turn: at once, or after it has waited in its destination's line, where it holds no place
 * (docs/adr/0010-waiting-calls-hold-no-place.md). From any thread; the state is the destinations'.
 */
final class Turns {

    private static final Logger LOG = LoggerFactory.getLogger(Turns.class);

    private final Destinations<Call> destinations;
    private final Consumer<Call> workers;
    private final Runnable roomFreed;

    /** Whether the source keeps a call that a line had no room for. */
    private volatile boolean keptAtSource;

    /**
     * The turns of all calls.
     *
     * @param workers gets each call whose turn has come
     * @param roomFreed run some milliseconds after a call was left to its source
     */
    Turns(Destinations<Call> destinations, Consumer<Call> workers, Runnable roomFreed) {
        this.destinations = destinations;
        this.workers = workers;
        this.roomFreed = roomFreed;
    }

    Arrival arrive(Call call) {
        return offered(call, call.target.arrive(call));
    }

    /** As {@link #arrive}, for a call whose attempt is not due before this time is over. */
    Arrival arriveLater(Call call, Duration after) {
        return offered(call, call.target.arriveLater(call, after));
    }

    private Arrival offered(Call call, Arrival arrival) {
        arrived(call, arrival);
        if (arrival == Arrival.AGAIN) {
            keepAtSource();
        }
        return arrival;
    }

    /** As {@link #arrive}, for a call that its source cannot keep: there is room in the line, or room enough. */
    Arrival arriveAnyway(Call call) {
        return arrived(call, call.target.arriveAnyway(call));
    }

    private Arrival arrived(Call call, Arrival arrival) {
        switch (arrival) {
            case ADMITTED -> workers.accept(call);
            case WAITS -> call.permit.waits();
            default -> {}
        }
        return arrival;
    }

    /** Its source is told in a moment that there is room again. */
    void keepAtSource() {
        keptAtSource = true;
    }

    /** A call to this destination made room for the next. */
    void roomAt(Destination<Call> destination) {
        for (Call next = destination.next(); next != null; next = destination.next()) {
            workers.accept(next);
        }
    }

    /** Lets a call wait for its next attempt; whoever calls this has it no more. */
    void retry(Call call, Duration after) {
        call.begun = false;
        call.permit.leavePlace();
        if (!call.target.retry(call, after)) {
            release(call);
        }
        roomAt(call.target);
    }

    /** Begins what may begin now and ends what has waited for too long; to be called every few milliseconds. */
    void tick() {
        try {
            destinations.tick(this::expire, workers);
            if (keptAtSource) {
                keptAtSource = false;
                roomFreed.run();
            }
        } catch (Throwable bug) {
            LOG.error("defect in the turns of waiting calls", bug);
        }
    }

    private void expire(Call call) {
        if (call.end()) {
            ErrorCode code = ErrorCode.DEADLINE_EXCEEDED;
            call.failed(code, code.meaning(), call.sent, AttemptTiming.NONE);
        }
    }

    /** Gives back every call that waits, and lets none wait or begin any more. */
    void close() {
        destinations.close().forEach(this::release);
    }

    private void release(Call call) {
        if (call.end()) {
            call.release();
        }
    }
}
