package io.iocluster.pipeline.call;

import io.iocluster.destination.Admission;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes calls to the queues of their destinations, and removes them again when they expire or the node stops. A destination hands each
 * call whose permit it grants to a worker itself; a queued call has no slot (docs/adr/0010-waiting-calls-hold-no-slot.md).
 * Thread-safe.
 */
public final class CallScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(CallScheduler.class);

    private final DestinationRegistry<Call> destinations;
    private final Runnable capacityAvailable;

    /** Whether the source keeps a call for which a queue had no room. */
    private volatile boolean keptAtSource;

    /**
     * Creates a scheduler.
     *
     * @param capacityAvailable signals the source; runs some milliseconds after a call was refused with backpressure
     */
    public CallScheduler(DestinationRegistry<Call> destinations, Runnable capacityAvailable) {
        this.destinations = destinations;
        this.capacityAvailable = capacityAvailable;
    }

    /** Starts a call now or queues it. */
    public Admission schedule(Call call) {
        return signalOnBackpressure(call.target().offer(call));
    }

    /** Queues a call whose attempt is not due before this time. */
    public Admission scheduleAfter(Call call, Duration after) {
        return signalOnBackpressure(call.target().offerDelayed(call, after));
    }

    private Admission signalOnBackpressure(Admission admission) {
        if (admission == Admission.BACKPRESSURE) {
            signalSourceOnNextTick();
        }
        return admission;
    }

    /** Starts a scatter branch now or queues it, even if the queue is full, because its source cannot keep one branch. */
    public Admission scheduleBranch(Call call) {
        return call.target().offerEvenIfFull(call);
    }

    /** Signals the source at the next tick that it may offer again. */
    public void signalSourceOnNextTick() {
        keptAtSource = true;
    }

    /** Queues a call for its next attempt. The caller must not use the call afterwards. */
    public void retry(Call call, Duration after) {
        call.progress().awaitRetry();
        call.permit().awaitRetry();
        if (!call.target().retry(call, after)) {
            call.endAndRelease();
        }
        call.target().dispatchWaiting();
    }

    /** Starts calls that are due and ends those that expired. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        try {
            destinations.tick(expired -> expired.fail(ErrorCode.DEADLINE_EXCEEDED));
            if (keptAtSource) {
                keptAtSource = false;
                capacityAvailable.run();
            }
        } catch (Throwable bug) {
            LOG.error("Queues of waiting calls not processed because of a defect", bug);
        }
    }

    /** Releases every queued call. No call is queued or started afterwards. */
    public void close() {
        destinations.close().forEach(Call::endAndRelease);
    }
}
