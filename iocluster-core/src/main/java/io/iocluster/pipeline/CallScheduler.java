package io.iocluster.pipeline;

import io.iocluster.destination.Admission;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each call its turn: at once, or after it has waited in its destination's line, where it holds no place
 * (docs/adr/0010-waiting-calls-hold-no-slot.md). From any thread; the state is the destinations'.
 */
final class CallScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(CallScheduler.class);

    private final DestinationRegistry<Call> destinations;
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
    CallScheduler(DestinationRegistry<Call> destinations, Consumer<Call> workers, Runnable roomFreed) {
        this.destinations = destinations;
        this.workers = workers;
        this.roomFreed = roomFreed;
    }

    Admission schedule(Call call) {
        return offered(call, call.target.offer(call));
    }

    /** As {@link #schedule}, for a call whose attempt is not due before this time is over. */
    Admission scheduleAfter(Call call, Duration after) {
        return offered(call, call.target.offerDelayed(call, after));
    }

    private Admission offered(Call call, Admission arrival) {
        arrived(call, arrival);
        if (arrival == Admission.BACKPRESSURE) {
            signalSourceOnNextTick();
        }
        return arrival;
    }

    /** As {@link #schedule}, for a call that its source cannot keep: there is room in the line, or room enough. */
    Admission scheduleBranch(Call call) {
        return arrived(call, call.target.offerEvenIfFull(call));
    }

    private Admission arrived(Call call, Admission arrival) {
        switch (arrival) {
            case ADMITTED -> workers.accept(call);
            case QUEUED -> call.permit.markQueued();
            default -> {}
        }
        return arrival;
    }

    /** Its source is told in a moment that there is room again. */
    void signalSourceOnNextTick() {
        keptAtSource = true;
    }

    /** A call to this destination made room for the next. */
    void dispatchWaiting(Destination<Call> destination) {
        for (Call next = destination.admitNext(); next != null; next = destination.admitNext()) {
            workers.accept(next);
        }
    }

    /** Lets a call wait for its next attempt; whoever calls this has it no more. */
    void retry(Call call, Duration after) {
        call.begun = false;
        call.permit.releaseSlot();
        if (!call.target.retry(call, after)) {
            release(call);
        }
        dispatchWaiting(call.target);
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
        if (call.tryEnd()) {
            ErrorCode code = ErrorCode.DEADLINE_EXCEEDED;
            call.reportFailure(code, code.description(), call.sent, AttemptTiming.NONE);
        }
    }

    /** Gives back every call that waits, and lets none wait or begin any more. */
    void close() {
        destinations.close().forEach(this::release);
    }

    private void release(Call call) {
        if (call.tryEnd()) {
            call.release();
        }
    }
}
