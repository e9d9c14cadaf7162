package io.iocluster.pipeline.call;

import io.iocluster.destination.Admission;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.message.ErrorCode;
import io.iocluster.producer.AppRegistry;
import java.time.Duration;
import java.util.function.ToLongFunction;
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
    private final AppRegistry<Call> apps;
    private final CallCache cache;
    private final ToLongFunction<Call> millisUntilDue;
    private final Runnable capacityAvailable;

    /** Whether the source keeps a call that a full queue refused. */
    private volatile boolean keptAtSource;

    /**
     * Creates a scheduler.
     *
     * @param apps whose calls {@link #startQueued} starts when their quota allows it
     * @param cache answers calls before their destination admits them
     * @param millisUntilDue returns the time until a delayed retry is due; zero or less for all other calls
     * @param capacityAvailable signals the source; runs some milliseconds after a call was refused with backpressure
     */
    public CallScheduler(
            DestinationRegistry<Call> destinations,
            AppRegistry<Call> apps,
            CallCache cache,
            ToLongFunction<Call> millisUntilDue,
            Runnable capacityAvailable) {
        this.destinations = destinations;
        this.apps = apps;
        this.cache = cache;
        this.millisUntilDue = millisUntilDue;
        this.capacityAvailable = capacityAvailable;
    }

    /**
     * Starts a call now or queues it, at its app while that is over its quota, else at its destination. A delayed retry that is not due
     * waits there until then.
     *
     * @param evenIfFull whether the call is queued instead of returned with backpressure, because its source cannot keep one branch
     */
    public Admission offer(Call call, boolean evenIfFull) {
        Admission admission;
        if (!call.app().mayStart()) {
            admission = queueAtApp(call, evenIfFull);
        } else {
            admission = admit(call, evenIfFull);
            if (admission == Admission.ADMITTED || admission == Admission.QUEUED) {
                call.app().recordStart();
            }
        }
        if (admission == Admission.BACKPRESSURE) {
            signalSourceOnNextTick();
        }
        return admission;
    }

    private static Admission queueAtApp(Call call, boolean evenIfFull) {
        if (call.app().offer(call, evenIfFull)) {
            // All branches of a message count as open already, so that this one may start although mayStart denied it.
            call.app().dispatch();
            return Admission.QUEUED;
        }
        return call.app().isClosed() ? Admission.BACKPRESSURE : Admission.OVER_QUOTA;
    }

    private Admission admit(Call call, boolean evenIfFull) {
        Admission cached = cache.admit(call, !evenIfFull);
        if (cached != null) {
            return cached;
        }
        long early = millisUntilDue.applyAsLong(call);
        return call.target().offer(call, early > 0 ? Duration.ofMillis(early) : Duration.ZERO, evenIfFull);
    }

    /** Passes a call that has waited for the quota of its app to its destination. Never throws. */
    public void startQueued(Call call) {
        try {
            endUnlessAccepted(call, admit(call, true));
        } catch (Throwable bug) {
            call.failWithDefect(bug);
        }
    }

    /** Ends a call that the source cannot keep, if it is not accepted. */
    public static void endUnlessAccepted(Call call, Admission admission) {
        switch (admission) {
            case ADMITTED, QUEUED -> {}
            case QUEUE_FULL -> call.fail(ErrorCode.DESTINATION_FULL);
            case BREAKER_OPEN -> call.fail(ErrorCode.BREAKER_OPEN);
            case OVER_QUOTA -> call.fail(ErrorCode.APP_OVER_QUOTA);
            case BACKPRESSURE -> call.endAndRelease(); // The node stops.
        }
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
    }

    /** Starts calls that are due and ends those that expired. The supervisor's thread calls it every few milliseconds. */
    public void tick() {
        try {
            destinations.tick(
                    expired -> expired.fail(ErrorCode.DEADLINE_EXCEEDED, ExpiredWait.forDestination(expired)));
            apps.tick(expired -> expired.fail(ErrorCode.DEADLINE_EXCEEDED, ExpiredWait.forQuota(expired)));
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
        apps.close().forEach(Call::endAndRelease);
        destinations.close().forEach(Call::endAndRelease);
    }
}
