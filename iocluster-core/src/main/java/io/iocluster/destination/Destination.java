package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.limit.ResultKind;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One destination: the attempts under way, the queue of calls that wait for it, and what it is known to take. A call in the
 * queue holds no place among the node's calls in flight (docs/adr/0010-waiting-calls-hold-no-slot.md).
 *
 * <p>Its share of the node's places and of the room to wait follows Abhijit K. Choudhury and Ellen L. Hahne, <i>Dynamic Queue
 * Length Thresholds for Shared-Memory Packet Switches</i>, IEEE/ACM Transactions on Networking 6(2), 1998: one that wants
 * more gets it only below a multiple of what is free, so that something always is.
 *
 * <p>Guarded by its own lock, under which nothing waits; for any thread.
 */
public final class Destination<C extends PendingCall> {

    /** A destination that only fails for this long counts as one that never answered. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    /** Its one host; null if it has several. */
    private final String host;

    private final boolean configured;
    private final SharedCapacity<C> shared;
    private final LongSupplier clock;

    private volatile DestinationPolicy policy;
    private volatile RetryPolicy retry;
    private volatile long calledNanos;

    @GuardedBy("this")
    private final WaitQueue<C> queue = new WaitQueue<>();

    @GuardedBy("this")
    private final DestinationHealth health;

    @GuardedBy("this")
    private final Holding<C> holding;

    /** When it last gave any answer. */
    @GuardedBy("this")
    private long answeredNanos;

    /** Whether it has answered, and not only failed since. */
    @GuardedBy("this")
    private boolean answers;

    @GuardedBy("this")
    private long attempts;

    @GuardedBy("this")
    private long startedNanos;

    /** When last a call could have begun here, had the node had a place for it. */
    @GuardedBy("this")
    private long nodeFullNanos;

    @GuardedBy("this")
    private boolean closed;

    Destination(
            String name,
            String host,
            boolean configured,
            DestinationPolicy policy,
            SharedCapacity<C> shared,
            LongSupplier clock) {
        this.name = name;
        this.host = host;
        this.configured = configured;
        this.policy = policy;
        this.retry = new RetryPolicy(policy.retry());
        this.shared = shared;
        this.clock = clock;
        this.holding = new Holding<>(shared, configured);
        this.health = new DestinationHealth(name, policy, clock);
        this.startedNanos = clock.getAsLong();
        this.nodeFullNanos = startedNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
        this.calledNanos = startedNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
    }

    /** The configured name, or {@code host:port}, or {@code other} for all that are not told apart. */
    public String name() {
        return name;
    }

    /** What holds here now. */
    public DestinationPolicy policy() {
        return policy;
    }

    /** When an attempt is made again here, as far as the budget allows. */
    public RetryPolicy retry() {
        return retry;
    }

    /**
     * Grants the call's permit and hands the call to a worker, or queues the call for a later grant.
     *
     * @return {@link Admission#ADMITTED} if a worker has the call
     */
    public Admission offer(C call) {
        return offer(call, false);
    }

    /**
     * As {@link #offer}, for a call that came together with others and is therefore let in where it could be offered once more.
     * Its source asked {@link #hasBackpressure} before, so that the queue grows by no more than those others.
     *
     * @return {@link Admission#BACKPRESSURE} only if nothing begins here any more, for the node stops
     */
    public Admission offerEvenIfFull(C call) {
        return offer(call, true);
    }

    /** Whether a call should rather be kept by its source for a moment. */
    public boolean hasBackpressure(C call) {
        long now = clock.getAsLong();
        synchronized (this) {
            boolean mayBegin = queue.peek() == null && hasShare(call.permit()) && shared.node.freeSlots() > 0;
            return !mayBegin && !hasRoomFor(call) && rejection(now) == Admission.BACKPRESSURE;
        }
    }

    private Admission offer(C call, boolean evenIfFull) {
        Admission admission = grantOrQueue(call, evenIfFull);
        if (admission == Admission.ADMITTED) {
            shared.workers.accept(call);
        }
        return admission;
    }

    private Admission grantOrQueue(C call, boolean evenIfFull) {
        long now = clock.getAsLong();
        synchronized (this) {
            calledNanos = now;
            shared.recordCall(this);
            if (queue.peek() == null && tryGrant(call, now)) {
                countFirstAttempt(call, now);
                return Admission.ADMITTED;
            }
            if (closed || !hasRoomFor(call)) {
                if (holding.inFlight() < limit() && !holding.hasSlot(policy.borrowFactor())) {
                    holding.ask();
                }
                Admission rejection = rejection(now);
                if (closed || !evenIfFull || rejection != Admission.BACKPRESSURE) {
                    return rejection;
                }
            }
            countFirstAttempt(call, now);
            queue.add(call, now);
            queued(call);
            return Admission.QUEUED;
        }
    }

    /** Queues a call that waited with the broker. Its next attempt starts after this time at the earliest. */
    public Admission offerDelayed(C call, Duration after) {
        long now = clock.getAsLong();
        synchronized (this) {
            calledNanos = now;
            shared.recordCall(this);
            if (closed || !hasRoomFor(call)) {
                return rejection(now);
            }
            countFirstAttempt(call, now);
            queue.addDelayed(call, now + after.toNanos());
            queued(call);
            return Admission.QUEUED;
        }
    }

    @GuardedBy("this")
    private void queued(C call) {
        call.permit().markQueued();
        countWaiting();
        shared.withQueue.add(this);
    }

    @GuardedBy("this")
    private void countFirstAttempt(C call, long now) {
        if (!call.isRetry()) {
            health.recordCall(now);
        }
    }

    @GuardedBy("this")
    private Admission rejection(long now) {
        long patience = policy.backpressureTimeout().toNanos();
        boolean heldByNode = now - nodeFullNanos <= patience;
        if (closed
                || heldByNode
                || queue.isHeadWaitWithin(now, patience)
                || (moves(now, patience) && !shared.isAnotherStarved(this))) {
            return Admission.BACKPRESSURE;
        }
        return health.breakerState() == BreakerState.OPEN ? Admission.BREAKER_OPEN : Admission.QUEUE_FULL;
    }

    /** Where calls are let in, the next may begin no sooner than one of those under way has taken its time. */
    @GuardedBy("this")
    private boolean moves(long now, long patience) {
        long stands = now - startedNanos;
        return stands <= patience
                || (patience > 0
                        && health.isAcceptingCalls(now)
                        && stands <= policy.timeout().toNanos());
    }

    @GuardedBy("this")
    private boolean hasRoomFor(PendingCall call) {
        int waiting = queue.size();
        return waiting < policy.maxWaiting()
                && holding.hasRoomToWait()
                && (waiting == 0 || queue.bytes() + call.queuedBytes() <= shared.node.freeBytes());
    }

    /** Grants the permit if the destination, its share of the node and the node have room. */
    @GuardedBy("this")
    private boolean tryGrant(C call, long now) {
        CallPermit permit = call.permit();
        if (closed || !hasShare(permit) || !health.tryAcquire(now)) {
            return false;
        }
        boolean probe = health.isHalfOpen();
        if (!permit.tryStart(this, now, holding.inFlight() + 1, probe)) {
            if (!permit.isEnded()) {
                nodeFullNanos = now;
            }
            health.release(probe);
            return false;
        }
        health.attemptStarted();
        holding.take(permit.responseReserve());
        attempts++;
        startedNanos = now;
        return true;
    }

    @GuardedBy("this")
    private boolean hasShare(CallPermit permit) {
        int times = policy.borrowFactor();
        return holding.inFlight() < limit()
                && holding.hasSlot(times)
                && holding.hasBytes(permit.responseReserve(), times);
    }

    @GuardedBy("this")
    private void countWaiting() {
        holding.waits(queue.size());
    }

    /** Shares slots, room to wait and bytes with the members of this group from now on. */
    synchronized void joinGroup(SlotGroup next) {
        holding.join(next);
    }

    /** Sets its number of guaranteed slots. */
    synchronized void setGuaranteedSlots(int slots) {
        holding.guarantee(slots);
    }

    /** What it could use, to be asked for once in a while. */
    synchronized SlotDemand<Destination<C>> sampleDemand(long now, long nanosSinceLast) {
        SlotUsage use = holding.use(nanosSinceLast);
        int held = holding.inFlight();
        int waiting = policy.rate().isUnlimited() ? queue.readySize() : 0;
        int wanted = health.isHealthy(now) ? use.wanted(waiting) : held;
        return new SlotDemand<>(this, Math.min(wanted, limit()), held, use.holdNanos());
    }

    /** Returns whether a pause for one host applies to all; the hosts of {@code other} are independent of each other. */
    private boolean isOneTarget() {
        return configured || host != null;
    }

    /** Its one host; null if it has several. */
    String host() {
        return host;
    }

    boolean isConfigured() {
        return configured;
    }

    /** Returns whether it has answered, and has not only failed for a long time. */
    synchronized boolean isResponsive() {
        return answers;
    }

    @GuardedBy("this")
    private int limit() {
        int cap = policy.maxInFlight() == 0 ? Integer.MAX_VALUE : policy.maxInFlight();
        return Math.min(cap, health.limit());
    }

    /** Hands queued calls to workers until no further permit can be granted. Call it after an attempt or a wait has ended. */
    public void dispatchWaiting() {
        for (C next = grantNext(); next != null; next = grantNext()) {
            shared.workers.accept(next);
        }
    }

    /** Grants the permit of the next queued call. Returns null if none can be granted. */
    C grantNext() {
        long now = clock.getAsLong();
        synchronized (this) {
            for (C head = queue.peek(); head != null; head = queue.peek()) {
                boolean granted = !head.permit().isEnded() && tryGrant(head, now);
                if (!granted && !head.permit().isEnded()) {
                    return null;
                }
                queue.removeHead();
                countWaiting();
                if (granted) {
                    return head;
                }
            }
            return null;
        }
    }

    /** Whether the budget and the queue have room for a retry of this call; the budget counts it then. */
    public synchronized boolean tryReserveRetry(C call) {
        return !closed && hasRoomFor(call) && health.tryRetry(clock.getAsLong());
    }

    /** Whether the budget has room for a retry that waits elsewhere until it is due; the budget counts it then. */
    public synchronized boolean tryReserveDelayedRetry() {
        return health.tryRetry(clock.getAsLong());
    }

    /**
     * Lets a call wait for its next attempt, after {@link #tryReserveRetry}. It holds no pass and no place any more.
     *
     * @return false if nothing waits here any more, for the node stops
     */
    public boolean retry(C call, Duration after) {
        long due = clock.getAsLong() + after.toNanos();
        synchronized (this) {
            if (closed) {
                return false;
            }
            queue.addDelayed(call, due);
            queued(call);
            return true;
        }
    }

    /** Takes the calls out of the queue whose deadline has passed. */
    synchronized List<C> expire(long now) {
        List<C> expired = queue.promoteDueAndRemoveExpired(now);
        countWaiting();
        if (queue.size() == 0) {
            shared.withQueue.remove(this);
        }
        return expired;
    }

    /** Lets nobody wait and nobody begin any more. */
    synchronized List<C> close() {
        closed = true;
        shared.withQueue.remove(this);
        List<C> left = queue.removeAll();
        countWaiting();
        return left;
    }

    /** Keeps what is under way and what was health, as far as the settings it was health by stay. */
    synchronized void updatePolicy(DestinationPolicy next) {
        policy = next;
        retry = new RetryPolicy(next.retry());
        health.updatePolicy(name, next);
    }

    /**
     * Takes the slot of an attempt back. Only the first call for an attempt has an effect.
     *
     * @param result what the destination learns from; null if the result says nothing about it
     */
    void attemptEnded(CallPermit permit, HttpResult result) {
        synchronized (this) {
            if (!permit.takeDestinationSlot()) {
                return;
            }
            holding.giveBack(permit.responseReserve());
            if (result == null) {
                health.release(permit.isProbe());
            } else {
                learn(permit, result, clock.getAsLong());
            }
        }
    }

    @GuardedBy("this")
    private void learn(CallPermit permit, HttpResult result, long now) {
        noteAnswer(result, now);
        health.recordResult(ResultKind.of(result), permit, now);
        long pause = isOneTarget() && result instanceof Response response ? retry.pauseMillis(response) : 0;
        if (pause > 0) {
            health.pause(now + TimeUnit.MILLISECONDS.toNanos(pause));
        }
    }

    @GuardedBy("this")
    private void noteAnswer(HttpResult result, long now) {
        if (result instanceof Response) {
            answers = true;
            answeredNanos = now;
        } else if (now - answeredNanos > SILENT_NANOS) {
            answers = false;
        }
    }

    boolean isCalledSince(long nanos) {
        return calledNanos - nanos >= 0;
    }

    synchronized boolean hasQueuedCalls() {
        return queue.size() > 0;
    }

    /** Whether forgetting it would lose nothing. */
    synchronized boolean isIdle(long now) {
        return holding.inFlight() == 0 && queue.size() == 0 && health.isHealthy(now);
    }

    public synchronized DestinationStatus status() {
        int limit = limit();
        return new DestinationStatus(
                name,
                configured,
                holding.inFlight(),
                limit == Integer.MAX_VALUE ? 0 : limit,
                queue.size(),
                health.breakerState(),
                health.retriesRefused(),
                Duration.ofNanos(health.remainingPauseNanos(clock.getAsLong())),
                attempts,
                policy.rate());
    }
}
