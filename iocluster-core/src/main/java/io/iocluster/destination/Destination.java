package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.operator.OperatorAction;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.share.SlotDemand;
import io.iocluster.destination.share.SlotUsage;
import io.iocluster.hedge.HedgeLimit;
import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.retry.RetryPolicy;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.OneAtATime;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Admits the calls to one destination: grants each call's {@link CallPermit} and hands the call to a worker, or queues
 * the call. A queued call has no slot (docs/adr/0010-waiting-calls-hold-no-slot.md). Thread-safe: one lock guards the
 * state of a destination, and nothing blocks under it.
 */
public final class Destination<C extends PendingCall> {

    private final DestinationIdentity identity;
    private final SharedCapacity<C> shared;
    private final NodeClock clock;
    private final RandomGenerator random;

    private volatile DestinationPolicy policy;
    private volatile RetryPolicy retry;
    private volatile long foundNanos;
    private volatile long calledNanos;

    /**
     * False if no call waits. Changed only with the lock: set when a call is queued, and cleared when none is left. So the end of an
     * attempt takes the lock a second time only if a call waits.
     */
    private volatile boolean dispatchNeeded;

    private final OneAtATime dispatches = new OneAtATime();
    private final Runnable grantQueued = this::grantQueued;

    @GuardedBy("this")
    private final WaitQueue<C> queue;

    @GuardedBy("this")
    private final DestinationHealth health;

    @GuardedBy("this")
    private final HeldCapacity<C> heldCapacity;

    @GuardedBy("this")
    private final DestinationProgress progress;

    @GuardedBy("this")
    private final CallAdmission<C> admission;

    Destination(
            DestinationIdentity identity,
            DestinationPolicy policy,
            SharedCapacity<C> shared,
            NodeClock clock,
            RandomGenerator random) {
        this.identity = identity;
        this.policy = policy;
        this.retry = new RetryPolicy(policy.retry(), random, clock);
        this.shared = shared;
        this.clock = clock;
        this.random = random;
        HeldCapacity<C> held = new HeldCapacity<>(this, shared, identity.configured());
        this.heldCapacity = held;
        this.queue = new WaitQueue<>((calls, bytes) -> {
            held.setWaiting(calls, bytes);
            if (calls > 0) {
                dispatchNeeded = true;
            }
        });
        this.health =
                new DestinationHealth(identity.name(), policy, shared.clusterShare, clock, shared.breakerChanges::add);
        long now = clock.nanos();
        this.progress = new DestinationProgress(now);
        this.admission = new CallAdmission<>(this, shared, queue, health, held, progress);
        this.foundNanos = now;
        this.calledNanos = now - DestinationRegistry.IDLE_EXPIRY_NANOS;
    }

    /** Returns the configured name, {@code host:port}, or {@code other} for hosts beyond the limit of destinations. */
    public String name() {
        return identity.name();
    }

    /** Returns the hash of the name, so that sets of destinations have the same order in each run of a simulation. */
    @Override
    public int hashCode() {
        return identity.name().hashCode();
    }

    /** Returns the current policy. */
    public DestinationPolicy policy() {
        return policy;
    }

    /** Returns when a failed attempt is retried, within the retry budget. */
    public RetryPolicy retry() {
        return retry;
    }

    /** Offers a call that is due and that its source can keep. */
    public Admission offer(C call) {
        return offer(call, Duration.ZERO, false);
    }

    /** Returns whether the source should keep the call, which it offers again later. A call may not wait if {@code full}. */
    public boolean hasBackpressure(C call, boolean full) {
        long now = clock.nanos();
        synchronized (this) {
            return admission.hasBackpressure(call, full, now);
        }
    }

    /**
     * Grants the call's permit and hands the call to a worker, or queues the call for a later grant, or rejects it.
     *
     * @param after minimum time until its next attempt; zero if it is due
     * @param evenIfFull whether it is queued instead of returned with backpressure, because its source cannot keep it. For the branches of
     *     a message, the caller checks {@link #hasBackpressure} first, so the queue grows at most by the branches of one message. Returns
     *     backpressure then only if the node stops
     */
    public Admission offer(C call, Duration after, boolean evenIfFull) {
        Admission decision;
        boolean noneWaited;
        long now = clock.nanos();
        synchronized (this) {
            calledNanos = now;
            shared.recordCall(this, now);
            noneWaited = !dispatchNeeded;
            // The registry may have forgotten the destination while the call waited for the quota of its app.
            updateClusterShare();
            decision = admission.offer(call, after.toNanos(), evenIfFull, now);
        }
        if (decision == Admission.ADMITTED) {
            shared.workers.accept(call);
        } else if (decision == Admission.QUEUED && noneWaited) {
            // An attempt may have ended after this call got no slot and before it was queued. It did not dispatch the
            // call.
            dispatchQueued();
        }
        return decision;
    }

    /**
     * Queues a call that waits for the response to an identical call. It counts as a waiting call and expires like one. It starts only after
     * {@link #startFollower}.
     *
     * @param evenIfFull whether it is queued instead of returned with backpressure, because its source cannot keep it
     */
    public synchronized Admission follow(C call, boolean evenIfFull) {
        long now = clock.nanos();
        calledNanos = now;
        shared.recordCall(this, now);
        return admission.queueFollower(call, evenIfFull, now);
    }

    /** Lets a {@linkplain #follow follower} start, if it is still queued. */
    public void startFollower(C call) {
        synchronized (this) {
            admission.makeReady(call, clock.nanos());
        }
        dispatchQueued();
    }

    /** Returns whether the breaker would let no call through now. */
    public synchronized boolean isBreakerBlocking() {
        return health.isBreakerBlocking(clock.nanos());
    }

    /** Makes the destination share slots, queue space and bytes with the members of this group. */
    synchronized void joinGroup(Held next) {
        heldCapacity.joinGroup(next);
    }

    /** Sets the number of guaranteed slots. */
    synchronized void setGuaranteedSlots(int slots) {
        heldCapacity.setGuaranteed(slots);
    }

    /** Returns how many slots the destination could use, and starts the next sample. */
    synchronized SlotDemand<Destination<C>> sampleDemand(long now, long nanosSinceLast) {
        SlotUsage usage = heldCapacity.sampleUsage(nanosSinceLast);
        int held = heldCapacity.inFlight();
        int waiting = policy.rate().isUnlimited() ? queue.readySize() : 0;
        int wanted = health.isHealthy(now) ? usage.wanted(waiting) : held;
        return new SlotDemand<>(this, Math.min(wanted, health.limit()), held, usage.holdNanos());
    }

    /** Returns the only host; null if there are several. */
    String host() {
        return identity.host();
    }

    /** Returns whether it is an entry of the configuration. */
    public boolean isConfigured() {
        return identity.configured();
    }

    /** Returns whether the destination has answered, and has not only failed for a long time since. */
    synchronized boolean isResponsive() {
        return progress.isResponsive();
    }

    /**
     * Hands queued calls of this destination to workers until no further permit can be granted, and then calls of others that wait for
     * bytes or a slot. A permit that gives back a slot calls it.
     */
    public void dispatchWaiting() {
        dispatchQueued();
        shared.dispatchOthers();
    }

    /**
     * Hands queued calls of this destination only to workers. A call that ends at once asks for a dispatch again; the running one then
     * continues, so that the stack does not grow.
     */
    void dispatchQueued() {
        if (dispatchNeeded) {
            dispatches.run(grantQueued);
        }
    }

    private void grantQueued() {
        for (C next = grantNext(); next != null; next = grantNext()) {
            shared.workers.accept(next);
        }
    }

    /** Grants the permit of the next queued call. Returns null if none can be granted. */
    synchronized C grantNext() {
        C next = admission.grantNext(clock);
        if (queue.size() == 0) {
            dispatchNeeded = false;
        }
        return next;
    }

    /** Removes a call that has ended from the queue, if it waits there. */
    public synchronized void removeWaiting(C call) {
        queue.remove(call);
    }

    /** Takes a retry of this call from the retry budget, if the budget and the queue allow it. */
    public synchronized boolean tryReserveRetry(C call) {
        return !admission.isClosed() && admission.canBeQueued(call) && health.tryRetry(clock.nanos());
    }

    /** Takes a retry that waits in the broker from the retry budget, if the budget allows it. */
    public synchronized boolean tryReserveDelayedRetry() {
        return health.tryRetry(clock.nanos());
    }

    /**
     * Queues a call for its next attempt, after {@link #tryReserveRetry} and {@link CallPermit#awaitRetry}.
     *
     * @param after minimum time until the attempt
     * @return false if the node stops
     */
    public synchronized boolean retry(C call, Duration after) {
        if (admission.isClosed()) {
            return false;
        }
        admission.queueRetry(call, clock.nanos() + after.toNanos());
        return true;
    }

    /** Returns how long an attempt runs before the call gets a second one; -1 if it gets none. */
    public synchronized long hedgeDelayNanos() {
        HedgeLimit hedges = health.hedges();
        return hedges == null ? -1 : hedges.delayNanos();
    }

    /** Records how long a call that may get a second attempt waited for its answer. */
    public synchronized void recordHedgeableLatency(long nanos) {
        HedgeLimit hedges = health.hedges();
        if (hedges != null) {
            hedges.recordLatency(nanos);
        }
    }

    /**
     * Grants the permit of a second attempt: a slot of the node, a slot and a token of the rate of this destination, and a part of the
     * budget of second attempts.
     *
     * @return null if it was granted, else why not
     */
    public synchronized HedgeResult tryStartHedge(CallPermit hedge) {
        return admission.grantHedge(hedge, clock.nanos());
    }

    /** Removes the calls whose deadline has passed from the queue, and returns them. */
    synchronized List<C> expire(long now) {
        List<C> expired = queue.promoteDueAndRemoveExpired(now);
        if (queue.size() == 0) {
            shared.withQueue.remove(this);
        }
        return expired;
    }

    /** Removes all queued calls and returns them. No call is queued or started afterwards. */
    synchronized List<C> close() {
        return admission.close();
    }

    /** Applies a policy. Calls in flight continue; each limit keeps its state if its own settings have not changed. */
    synchronized void updatePolicy(DestinationPolicy next) {
        policy = health.updatePolicy(identity.name(), next, shared.clusterShare);
        retry = new RetryPolicy(next.retry(), random, clock);
    }

    /** Applies this node's share of the limits for the cluster, if it has changed. */
    synchronized void updateClusterShare() {
        if (health.needsShare(shared.clusterShare)) {
            updatePolicy(health.configuredPolicy());
        }
    }

    /** Applies an operator's action. */
    synchronized void apply(OperatorAction action) {
        health.apply(action, clock.nanos());
        updatePolicy(health.configuredPolicy());
        shared.overridden.add(this);
    }

    /** Ends the operator's overrides whose time is over, and returns their names. */
    synchronized List<String> removeEndedOverrides() {
        List<String> ended = health.overrides().removeEnded(clock.nanos());
        if (!ended.isEmpty()) {
            updatePolicy(health.configuredPolicy());
        }
        if (health.overrides().isEmpty()) {
            shared.overridden.remove(this);
        }
        return ended;
    }

    /** Takes back the slot of an attempt and records its result, unless it is null. Only the first call counts. */
    synchronized void attemptEnded(CallPermit permit, HttpResult result) {
        if (!permit.takeDestinationSlot()) {
            return;
        }
        heldCapacity.release(permit);
        long now = clock.nanos();
        if (result == null) {
            health.attemptAbandoned(permit, now);
            return;
        }
        progress.attemptEnded(result, policy, permit.attemptStartNanos(), now);
        heldCapacity.setResponsive(progress.isResponsive());
        if (result instanceof Response) {
            heldCapacity.recordAnswer(now);
        }
        health.recordResult(result, permit, now);
        // The hosts of "other" are independent: a pause for one of them does not apply to all.
        if ((identity.configured() || identity.host() != null) && result instanceof Response response) {
            health.pause(now, retry.pauseMillis(response));
        }
    }

    /** Takes back the slot of an attempt that timed out because its call had waited for too long. Only the first call counts. */
    synchronized void attemptExpired(CallPermit permit) {
        if (permit.takeDestinationSlot()) {
            heldCapacity.release(permit);
            progress.attemptExpired();
            health.attemptAbandoned(permit, clock.nanos());
        }
    }

    /** Returns whether an attempt that timed out after this time shows that the destination fails. */
    public synchronized boolean isConclusiveTimeout(long limitNanos) {
        return limitNanos >= Math.min(policy.timeout().toNanos() / 2, progress.unusualNanos());
    }

    /** Returns whether the destination was called at or after this time. */
    boolean isCalledSince(long nanos) {
        return calledNanos - nanos >= 0;
    }

    /** Records that the destination was found for a call, which will be offered to it soon. */
    void markFound() {
        foundNanos = clock.nanos();
    }

    /** Returns whether the destination was found for a call at or after this time. */
    boolean isFoundSince(long nanos) {
        return foundNanos - nanos >= 0;
    }

    /** Returns the mean time of the answers if the destination answers and no call waits for it; -1 if not. */
    synchronized long starvedAnswerNanos() {
        return queue.size() == 0 && progress.isResponsive() ? progress.meanAnswerNanos() : -1;
    }

    /** Returns whether a call is in flight or queued. */
    synchronized boolean holdsCalls() {
        return heldCapacity.inFlight() > 0 || queue.size() > 0;
    }

    /** Returns whether the destination has no calls and no state worth keeping. */
    synchronized boolean isIdle(long now) {
        return !holdsCalls() && health.isHealthy(now) && health.overrides().isEmpty();
    }

    /** Returns a snapshot of the current state. */
    public synchronized DestinationStatus status() {
        long now = clock.nanos();
        return health.status(identity, heldCapacity.inFlight(), queue.size(), progress.totals(now), now);
    }
}
