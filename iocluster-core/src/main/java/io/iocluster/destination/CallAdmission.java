package io.iocluster.destination;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.hedge.HedgeLimit;
import io.iocluster.hedge.HedgeResult;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.List;

/**
 * Decides whether a call to one destination starts, waits in the queue or is rejected, and which call starts next. Confined to the
 * destination's lock.
 */
final class CallAdmission<C extends PendingCall> {

    /** How long calls to other destinations may be delayed until this node knows its share of a limit. A node that starts needs about 3 s. */
    private static final Duration SHARE_WAIT = Duration.ofSeconds(5);

    /** A destination is slow if its answers take more than this multiple of the time that another one needs. */
    private static final int SLOWER_MULTIPLE = 4;

    /** Answers within this multiple of the backpressure timeout are quick: the queue of an unlimited destination then moves fast. */
    private static final int QUICK_MULTIPLE = 5;

    private final Destination<C> destination;
    private final SharedCapacity<C> shared;
    private final WaitQueue<C> queue;
    private final DestinationHealth health;
    private final HeldCapacity<C> heldCapacity;
    private final DestinationProgress progress;

    private boolean closed;

    CallAdmission(
            Destination<C> destination,
            SharedCapacity<C> shared,
            WaitQueue<C> queue,
            DestinationHealth health,
            HeldCapacity<C> heldCapacity,
            DestinationProgress progress) {
        this.destination = destination;
        this.shared = shared;
        this.queue = queue;
        this.health = health;
        this.heldCapacity = heldCapacity;
        this.progress = progress;
    }

    private DestinationPolicy policy() {
        return destination.policy();
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether the source should keep the call. A call may not wait if {@code full}. */
    boolean hasBackpressure(C call, boolean full, long now) {
        boolean canStart =
                queue.peek() == null && hasShare(call.permit(), call.queuedBytes(), now) && shared.node.freeSlots() > 0;
        return (full || (!canStart && !canBeQueued(call))) && rejection(now) == Admission.BACKPRESSURE;
    }

    /** Grants the call's permit, or queues or rejects the call. Grants no permit to a call that is not due. */
    Admission offer(C call, long afterNanos, boolean evenIfFull, long now) {
        boolean due = afterNanos == 0;
        if (due && queue.peek() == null && tryGrant(call.permit(), call.queuedBytes(), now)) {
            health.recordOffer(call, now);
            return Admission.ADMITTED;
        }
        Admission refusal = refusalToQueue(call, evenIfFull, now);
        if (refusal != null) {
            return refusal;
        }
        health.recordOffer(call, now);
        if (due) {
            queue.add(call, now);
            recordQueued(call);
        } else {
            queueRetry(call, now + afterNanos);
        }
        return Admission.QUEUED;
    }

    /** Queues a call that waits for the response to another call, or rejects it. Only {@link #makeReady} lets it start. */
    Admission queueFollower(C call, boolean evenIfFull, long now) {
        Admission refusal = refusalToQueue(call, evenIfFull, now);
        if (refusal != null) {
            return refusal;
        }
        queueRetry(call, call.deadlineNanos());
        return Admission.QUEUED;
    }

    /** Returns why the call cannot wait here; null if it can. */
    private Admission refusalToQueue(C call, boolean evenIfFull, long now) {
        if (closed || !canBeQueued(call)) {
            if (isBelowLimit(now) && !heldCapacity.hasSlot(policy().borrowFactor())) {
                heldCapacity.recordDeniedSlot();
            }
            Admission rejection = rejection(now);
            if (closed || !evenIfFull || rejection != Admission.BACKPRESSURE) {
                return rejection;
            }
        }
        return null;
    }

    /** Lets a call start that waits for the response to another call, if it is still queued. */
    void makeReady(C call, long now) {
        if (queue.makeReady(call, now)) {
            health.recordOffer(call, now);
        }
    }

    /** Queues a call for its next attempt. */
    void queueRetry(C call, long dueNanos) {
        queue.addDelayed(call, dueNanos);
        recordQueued(call);
    }

    private void recordQueued(C call) {
        call.permit().markQueued();
        if (call.permit().isEnded()) {
            queue.remove(call);
        }
        shared.withQueue.add(destination);
    }

    private Admission rejection(long now) {
        long backpressureNanos = policy().backpressureTimeout().toNanos();
        if (closed
                || progress.wasNodeFullWithin(now, backpressureNanos)
                || queue.isHeadWaitWithin(now, backpressureNanos)
                || awaitsShare(now, SHARE_WAIT)
                || (mayProgress(now) && !delaysAnother(now))) {
            return Admission.BACKPRESSURE;
        }
        return health.breakerState() == BreakerState.OPEN ? Admission.BREAKER_OPEN : Admission.QUEUE_FULL;
    }

    /** Returns whether the queue makes progress, or will as soon as this node knows its share of a limit for the cluster. */
    private boolean mayProgress(long now) {
        return progress.isProgressing(now, policy(), health.isAcceptingCalls(now))
                || awaitsShare(now, policy().timeout());
    }

    /**
     * Returns whether backpressure would delay another destination because of this one: the other has no call to make, and this one is
     * slow or limited. If it is neither, all destinations wait for the same busy node, and a rejection would help none of them.
     */
    private boolean delaysAnother(long now) {
        return shared.isAnotherStarved(destination) && (isLimited(now) || isSlow(now));
    }

    /** Returns whether a limit of the destination, its breaker or a pause restricts its calls, rather than the node. */
    private boolean isLimited(long now) {
        return !policy().rate().isUnlimited() || heldCapacity.inFlight() >= health.limit() || !health.isHealthy(now);
    }

    /**
     * Returns whether the destination answers slowly, compared with the others that have nothing to do. One that has not answered is not
     * slow while the node is cold and others like it answer for the first time.
     */
    private boolean isSlow(long now) {
        long quickNanos = QUICK_MULTIPLE * policy().backpressureTimeout().toNanos();
        if (!progress.isResponsive()) {
            return !shared.isCold(now) || heldCapacity.isSilent(now, quickNanos);
        }
        long limit = Math.max(quickNanos, SLOWER_MULTIPLE * shared.fastestStarvedNanos);
        return progress.meanAnswerNanos() > limit || heldCapacity.isSilent(now, limit) || isUnanswered(now, limit);
    }

    /** Returns whether this destination does not answer, even if others at its address do. */
    private boolean isUnanswered(long now, long nanos) {
        return heldCapacity.inFlight() > 0 && progress.isUnansweredFor(now, nanos);
    }

    private boolean awaitsShare(long now, Duration atMost) {
        return !policy().backpressureTimeout().isZero() && health.awaitsShare(now, atMost);
    }

    /** Returns whether the limits of the queue allow the call to wait. */
    boolean canBeQueued(PendingCall call) {
        return queue.size() < policy().maxWaiting() && heldCapacity.hasQueueSpace(call.queuedBytes());
    }

    /** Grants the permit if no limit of the destination, of its share of the node or of the node is reached. */
    private boolean tryGrant(CallPermit permit, long messageBytes, long now) {
        if (closed || !hasShare(permit, messageBytes, now) || !health.isReady(now)) {
            return false;
        }
        if (!permit.tryStart(destination, now, heldCapacity.inFlight() + 1, health.isHalfOpen())) {
            if (!permit.isEnded()) {
                progress.nodeFull(now);
            }
            return false;
        }
        health.attemptStarted(now);
        heldCapacity.acquire(permit, messageBytes);
        progress.attemptStarted(now, heldCapacity.inFlight());
        return true;
    }

    /**
     * Grants the permit of a second attempt, if no call waits that could start and nothing else restricts the destination. Its call counts
     * the bytes of the message.
     *
     * @return null if it was granted, else why not
     */
    HedgeResult grantHedge(CallPermit hedge, long now) {
        HedgeLimit limit = health.hedges();
        if (limit == null || queue.peek() != null || !health.allowsHedges(now)) {
            return HedgeResult.SATURATED;
        }
        if (!limit.hasBudget(now)) {
            return HedgeResult.OVER_BUDGET;
        }
        if (!tryGrant(hedge, 0, now)) {
            return HedgeResult.SATURATED;
        }
        limit.attemptStarted(now);
        return null;
    }

    private boolean hasShare(CallPermit permit, long messageBytes, long now) {
        int borrowFactor = policy().borrowFactor();
        return isBelowLimit(now)
                && heldCapacity.hasSlot(borrowFactor)
                && heldCapacity.hasBytes(permit, messageBytes, borrowFactor);
    }

    /** Grants the permit of the next queued call. Returns null if it cannot be granted now, or none is queued. */
    C grantNext(NodeClock clock) {
        boolean triedAgain = false;
        while (queue.readySize() > 0) {
            long now = clock.nanos();
            C next = next(now);
            boolean granted = !next.permit().isEnded() && tryGrant(next.permit(), next.queuedBytes(), now);
            if (!granted && !next.permit().isEnded()) {
                boolean needsBytes = heldCapacity.lacksFirstReservation(next, policy().borrowFactor());
                heldCapacity.setWaitsForBytes(needsBytes && isBelowLimit(now) && health.isReady(now));
                boolean waits = needsSlot(now);
                if (waits) {
                    shared.slotQueue.join(destination);
                }
                // A slot that became free before this destination waited for one was not handed over.
                boolean triesAgain = shared.several
                        && (waits || !triedAgain)
                        && isBelowLimit(now)
                        && heldCapacity.hasSlot(policy().borrowFactor());
                if (!triesAgain) {
                    return null;
                }
                triedAgain = true;
                continue;
            }
            queue.remove(next);
            if (granted) {
                heldCapacity.setWaitsForBytes(false);
                return next;
            }
        }
        heldCapacity.setWaitsForBytes(false);
        shared.slotQueue.leave(destination);
        return null;
    }

    /**
     * Returns the next call to start, if one is ready: usually the first one. If it would be a probe, or if calls start too late, returns one
     * that has enough time.
     *
     * <p>A queue in order answers no call if it is so long that each call starts just before its deadline. With the newest
     * calls first it answers as many as the target can: "adaptive LIFO" in Ben Maurer, <i>Fail at Scale</i>, ACM Queue 13(8), 2015.
     */
    private C next(long now) {
        return progress.isStartingTooLate() || health.wantsProbe(now)
                ? queue.peekLongest(now, policy().timeout().toNanos())
                : queue.peek();
    }

    /**
     * Returns whether the destination may have another attempt in flight. While the target does not answer, the adaptive limit admits one each
     * second. Otherwise attempts that hang would use a low limit until their timeout, although the target is repaired.
     */
    private boolean isBelowLimit(long now) {
        int inFlight = heldCapacity.inFlight();
        return inFlight < health.limit() || (inFlight < health.cap() && progress.isProbeDue(now));
    }

    /** Returns whether a call could start, apart from its bytes, if the destination had a slot. */
    private boolean needsSlot(long now) {
        return isBelowLimit(now) && !heldCapacity.hasSlot(policy().borrowFactor()) && health.isReady(now);
    }

    /** Removes all queued calls and returns them. No call is queued or started afterwards. */
    List<C> close() {
        closed = true;
        shared.withQueue.remove(destination);
        heldCapacity.setWaitsForBytes(false);
        shared.slotQueue.leave(destination);
        return queue.removeAll();
    }
}
