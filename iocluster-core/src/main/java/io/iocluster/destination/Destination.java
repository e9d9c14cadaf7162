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
 * One destination: the attempts under way, the line of calls that wait for it, and what it is known to take. A call in the
 * line holds no place among the node's calls in flight (docs/adr/0010-waiting-calls-hold-no-slot.md).
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
    private final SharedCapacity<C> neighbourhood;
    private final LongSupplier clock;

    private volatile DestinationPolicy policy;
    private volatile RetryPolicy retry;
    private volatile long calledNanos;

    @GuardedBy("this")
    private final WaitQueue<C> line = new WaitQueue<>();

    @GuardedBy("this")
    private final DestinationHealth learned;

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
    private long begunNanos;

    /** When last a call could have begun here, had the node had a place for it. */
    @GuardedBy("this")
    private long heldNanos;

    @GuardedBy("this")
    private boolean closed;

    Destination(
            String name,
            String host,
            boolean configured,
            DestinationPolicy policy,
            SharedCapacity<C> neighbourhood,
            LongSupplier clock) {
        this.name = name;
        this.host = host;
        this.configured = configured;
        this.policy = policy;
        this.retry = new RetryPolicy(policy.retry());
        this.neighbourhood = neighbourhood;
        this.clock = clock;
        this.holding = new Holding<>(neighbourhood, configured);
        this.learned = new DestinationHealth(name, policy, clock);
        this.begunNanos = clock.getAsLong();
        this.heldNanos = begunNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
        this.calledNanos = begunNanos - DestinationRegistry.IDLE_EXPIRY_NANOS;
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

    /** A call wants its first attempt; one that has to wait is remembered here until {@link #admitNext} or a tick gives it out. */
    public Admission offer(C call) {
        return offer(call, false);
    }

    /**
     * As {@link #offer}, for a call that came together with others and is therefore let in where it could be offered once more.
     * Its source asked {@link #hasBackpressure} before, so that the line grows by no more than those others.
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
            boolean mayBegin = line.peek() == null && hasShare(call) && neighbourhood.room.freeSlots() > 0;
            return !mayBegin && !hasRoomFor(call) && turnedAway(now) == Admission.BACKPRESSURE;
        }
    }

    private Admission offer(C call, boolean anyway) {
        long now = clock.getAsLong();
        synchronized (this) {
            calledNanos = now;
            neighbourhood.recordCall(this);
            if (line.peek() == null && admit(call, now)) {
                count(call, now);
                return Admission.ADMITTED;
            }
            if (closed || !hasRoomFor(call)) {
                if (holding.inFlight() < limit() && !holding.hasSlot(policy.borrowFactor())) {
                    holding.ask();
                }
                Admission turnedAway = turnedAway(now);
                if (closed || !anyway || turnedAway != Admission.BACKPRESSURE) {
                    return turnedAway;
                }
            }
            count(call, now);
            line.add(call, now);
            countWaiting();
            neighbourhood.lined.add(this);
            return Admission.QUEUED;
        }
    }

    /** A call that waited with the broker wants its next attempt, though not before this time is over. */
    public Admission offerDelayed(C call, Duration after) {
        long now = clock.getAsLong();
        synchronized (this) {
            calledNanos = now;
            neighbourhood.recordCall(this);
            if (closed || !hasRoomFor(call)) {
                return turnedAway(now);
            }
            count(call, now);
            line.addDelayed(call, now + after.toNanos());
            countWaiting();
            neighbourhood.lined.add(this);
            return Admission.QUEUED;
        }
    }

    @GuardedBy("this")
    private void count(C call, long now) {
        if (!call.isRetry()) {
            learned.recordCall(now);
        }
    }

    @GuardedBy("this")
    private Admission turnedAway(long now) {
        long patience = policy.backpressureTimeout().toNanos();
        boolean heldByNode = now - heldNanos <= patience;
        if (closed
                || heldByNode
                || line.isHeadWaitWithin(now, patience)
                || (moves(now, patience) && !neighbourhood.isAnotherStarved(this))) {
            return Admission.BACKPRESSURE;
        }
        return learned.breakerState() == BreakerState.OPEN ? Admission.BREAKER_OPEN : Admission.QUEUE_FULL;
    }

    /** Where calls are let in, the next may begin no sooner than one of those under way has taken its time. */
    @GuardedBy("this")
    private boolean moves(long now, long patience) {
        long stands = now - begunNanos;
        return stands <= patience
                || (patience > 0
                        && learned.isAcceptingCalls(now)
                        && stands <= policy.timeout().toNanos());
    }

    @GuardedBy("this")
    private boolean hasRoomFor(PendingCall call) {
        int waiting = line.size();
        return waiting < policy.maxWaiting()
                && holding.hasRoomToWait()
                && (waiting == 0 || line.bytes() + call.heldBytes() <= neighbourhood.room.freeBytes());
    }

    @GuardedBy("this")
    private boolean admit(C call, long now) {
        if (closed || !hasShare(call) || !learned.tryAcquire(now)) {
            return false;
        }
        boolean probe = learned.isHalfOpen();
        if (!call.tryAcquireSlot()) {
            if (!call.isEnded()) {
                heldNanos = now;
            }
            learned.release(probe);
            return false;
        }
        learned.attemptStarted();
        holding.take(call.reservedBytes());
        attempts++;
        begunNanos = now;
        call.onAdmitted(new AttemptPermit(this, now, probe, holding.inFlight(), call.reservedBytes()));
        return true;
    }

    @GuardedBy("this")
    private boolean hasShare(C call) {
        int times = policy.borrowFactor();
        return holding.inFlight() < limit() && holding.hasSlot(times) && holding.hasBytes(call.reservedBytes(), times);
    }

    @GuardedBy("this")
    private void countWaiting() {
        holding.waits(line.size());
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
        int waiting = policy.rate().isUnlimited() ? line.readySize() : 0;
        int wanted = learned.isHealthy(now) ? use.wanted(waiting) : held;
        return new SlotDemand<>(this, Math.min(wanted, limit()), held, use.holdNanos());
    }

    /** Returns whether a pause for one host applies to all; the hosts of {@code other} are independent of each other. */
    private boolean speaksForAll() {
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
        return Math.min(cap, learned.limit());
    }

    /** The call of the line whose turn is now, with its pass, or null: to be asked again until it is null. */
    public C admitNext() {
        long now = clock.getAsLong();
        synchronized (this) {
            for (C head = line.peek(); head != null; head = line.peek()) {
                boolean admitted = !head.isEnded() && admit(head, now);
                if (!admitted && !head.isEnded()) {
                    return null;
                }
                line.removeHead();
                countWaiting();
                if (admitted) {
                    return head;
                }
            }
            return null;
        }
    }

    /** Whether the budget and the line have room for a retry of this call; the budget counts it then. */
    public synchronized boolean tryReserveRetry(C call) {
        return !closed && hasRoomFor(call) && learned.tryRetry(clock.getAsLong());
    }

    /** Whether the budget has room for a retry that waits elsewhere until it is due; the budget counts it then. */
    public synchronized boolean tryReserveDelayedRetry() {
        return learned.tryRetry(clock.getAsLong());
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
            line.addDelayed(call, due);
            countWaiting();
            neighbourhood.lined.add(this);
            return true;
        }
    }

    /** Takes the calls out of the line whose deadline has passed. */
    synchronized List<C> expire(long now) {
        List<C> expired = line.promoteDueAndRemoveExpired(now);
        countWaiting();
        if (line.size() == 0) {
            neighbourhood.lined.remove(this);
        }
        return expired;
    }

    /** Lets nobody wait and nobody begin any more. */
    synchronized List<C> close() {
        closed = true;
        neighbourhood.lined.remove(this);
        List<C> left = line.removeAll();
        countWaiting();
        return left;
    }

    /** Keeps what is under way and what was learned, as far as the settings it was learned by stay. */
    synchronized void updatePolicy(DestinationPolicy next) {
        policy = next;
        retry = new RetryPolicy(next.retry());
        learned.updatePolicy(name, next);
    }

    @GuardedBy("this")
    void completed(AttemptPermit pass, HttpResult result) {
        holding.giveBack(pass.reserved);
        long now = clock.getAsLong();
        noteAnswer(result, now);
        learned.recordResult(ResultKind.of(result), pass, now);
        long pause = speaksForAll() && result instanceof Response response ? retry.pauseMillis(response) : 0;
        if (pause > 0) {
            learned.pause(now + TimeUnit.MILLISECONDS.toNanos(pause));
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

    @GuardedBy("this")
    void released(AttemptPermit pass) {
        holding.giveBack(pass.reserved);
        learned.release(pass.probe);
    }

    boolean isCalledSince(long nanos) {
        return calledNanos - nanos >= 0;
    }

    synchronized boolean hasQueuedCalls() {
        return line.size() > 0;
    }

    /** Whether forgetting it would lose nothing. */
    synchronized boolean isIdle(long now) {
        return holding.inFlight() == 0 && line.size() == 0 && learned.isHealthy(now);
    }

    public synchronized DestinationStatus status() {
        int limit = limit();
        return new DestinationStatus(
                name,
                configured,
                holding.inFlight(),
                limit == Integer.MAX_VALUE ? 0 : limit,
                line.size(),
                learned.breakerState(),
                learned.retriesRefused(),
                Duration.ofNanos(learned.remainingPauseNanos(clock.getAsLong())),
                attempts,
                policy.rate());
    }
}
