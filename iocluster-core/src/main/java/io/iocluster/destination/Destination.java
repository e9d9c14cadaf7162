package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.retry.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One destination: the attempts under way, the line of calls that wait for it, and what it is known to take. A call in the
 * line holds no place among the node's calls in flight (docs/adr/0010-waiting-calls-hold-no-place.md).
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
    private final Neighbourhood<C> neighbourhood;
    private final LongSupplier clock;

    private volatile DestinationPolicy policy;
    private volatile RetryPolicy retry;
    private volatile long calledNanos;

    @GuardedBy("this")
    private final Line<C> line = new Line<>();

    @GuardedBy("this")
    private final Learned learned;

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
            Neighbourhood<C> neighbourhood,
            LongSupplier clock) {
        this.name = name;
        this.host = host;
        this.configured = configured;
        this.policy = policy;
        this.retry = new RetryPolicy(policy.retry());
        this.neighbourhood = neighbourhood;
        this.clock = clock;
        this.holding = new Holding<>(neighbourhood, configured);
        this.learned = new Learned(name, policy, clock);
        this.begunNanos = clock.getAsLong();
        this.heldNanos = begunNanos - Destinations.UNUSED_NANOS;
        this.calledNanos = begunNanos - Destinations.UNUSED_NANOS;
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

    /** A call wants its first attempt; one that has to wait is remembered here until {@link #next} or a tick gives it out. */
    public Arrival arrive(C call) {
        return arrive(call, false);
    }

    /**
     * As {@link #arrive}, for a call that came together with others and is therefore let in where it could be offered once more.
     * Its source asked {@link #isTooBusy} before, so that the line grows by no more than those others.
     *
     * @return {@link Arrival#AGAIN} only if nothing begins here any more, for the node stops
     */
    public Arrival arriveAnyway(C call) {
        return arrive(call, true);
    }

    /** Whether a call should rather be kept by its source for a moment. */
    public boolean isTooBusy(C call) {
        long now = clock.getAsLong();
        synchronized (this) {
            boolean mayBegin = line.head() == null && hasShare(call) && neighbourhood.room.freePlaces() > 0;
            return !mayBegin && !hasRoomFor(call) && turnedAway(now) == Arrival.AGAIN;
        }
    }

    private Arrival arrive(C call, boolean anyway) {
        long now = clock.getAsLong();
        synchronized (this) {
            calledNanos = now;
            neighbourhood.called(this);
            if (line.head() == null && admit(call, now)) {
                count(call, now);
                return Arrival.ADMITTED;
            }
            if (closed || !hasRoomFor(call)) {
                if (holding.inFlight() < limit() && !holding.hasSlot(policy.share())) {
                    holding.ask();
                }
                Arrival turnedAway = turnedAway(now);
                if (closed || !anyway || turnedAway != Arrival.AGAIN) {
                    return turnedAway;
                }
            }
            count(call, now);
            line.add(call, now);
            countWaiting();
            neighbourhood.lined.add(this);
            return Arrival.WAITS;
        }
    }

    /** A call that waited with the broker wants its next attempt, though not before this time is over. */
    public Arrival arriveLater(C call, Duration after) {
        long now = clock.getAsLong();
        synchronized (this) {
            calledNanos = now;
            neighbourhood.called(this);
            if (closed || !hasRoomFor(call)) {
                return turnedAway(now);
            }
            count(call, now);
            line.addLater(call, now + after.toNanos());
            countWaiting();
            neighbourhood.lined.add(this);
            return Arrival.WAITS;
        }
    }

    @GuardedBy("this")
    private void count(C call, long now) {
        if (!call.isRetry()) {
            learned.called(now);
        }
    }

    @GuardedBy("this")
    private Arrival turnedAway(long now) {
        long patience = policy.patience().toNanos();
        boolean heldByNode = now - heldNanos <= patience;
        if (closed
                || heldByNode
                || line.isHeadYoung(now, patience)
                || (moves(now, patience) && !neighbourhood.isAnotherHungry(this))) {
            return Arrival.AGAIN;
        }
        return learned.breakerState() == BreakerState.OPEN ? Arrival.BREAKER_OPEN : Arrival.FULL;
    }

    /** Where calls are let in, the next may begin no sooner than one of those under way has taken its time. */
    @GuardedBy("this")
    private boolean moves(long now, long patience) {
        long stands = now - begunNanos;
        return stands <= patience
                || (patience > 0
                        && learned.letsIn(now)
                        && stands <= policy.timeout().toNanos());
    }

    @GuardedBy("this")
    private boolean hasRoomFor(PendingCall call) {
        int waiting = line.size();
        return waiting < policy.waiting()
                && holding.hasRoomToWait()
                && (waiting == 0 || line.bytes() + call.heldBytes() <= neighbourhood.room.freeBytes());
    }

    @GuardedBy("this")
    private boolean admit(C call, long now) {
        if (closed || !hasShare(call) || !learned.tryAcquire(now)) {
            return false;
        }
        boolean probe = learned.isProbing();
        if (!call.tryTakePlace()) {
            if (!call.isEnded()) {
                heldNanos = now;
            }
            learned.release(probe);
            return false;
        }
        learned.begun();
        holding.take(call.reservedBytes());
        attempts++;
        begunNanos = now;
        call.admitted(new Pass(this, now, probe, holding.inFlight(), call.reservedBytes()));
        return true;
    }

    @GuardedBy("this")
    private boolean hasShare(C call) {
        int times = policy.share();
        return holding.inFlight() < limit() && holding.hasSlot(times) && holding.hasBytes(call.reservedBytes(), times);
    }

    @GuardedBy("this")
    private void countWaiting() {
        holding.waits(line.size());
    }

    /** Shares slots, room to wait and bytes with the members of this group from now on. */
    synchronized void join(SlotGroup next) {
        holding.join(next);
    }

    /** Sets its number of guaranteed slots. */
    synchronized void guarantee(int slots) {
        holding.guarantee(slots);
    }

    /** What it could use, to be asked for once in a while. */
    synchronized SlotDemand<Destination<C>> demand(long now, long nanosSinceLast) {
        SlotUse use = holding.use(nanosSinceLast);
        int held = holding.inFlight();
        int waiting = policy.rate().isUnlimited() ? line.ready() : 0;
        int wanted = learned.isNothing(now) ? use.wanted(waiting) : held;
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
    synchronized boolean answers() {
        return answers;
    }

    @GuardedBy("this")
    private int limit() {
        int cap = policy.maxInFlight() == 0 ? Integer.MAX_VALUE : policy.maxInFlight();
        return Math.min(cap, learned.limit());
    }

    /** The call of the line whose turn is now, with its pass, or null: to be asked again until it is null. */
    public C next() {
        long now = clock.getAsLong();
        synchronized (this) {
            for (C head = line.head(); head != null; head = line.head()) {
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
    public synchronized boolean mayRetry(C call) {
        return !closed && hasRoomFor(call) && learned.tryRetry(clock.getAsLong());
    }

    /** Whether the budget has room for a retry that waits elsewhere until it is due; the budget counts it then. */
    public synchronized boolean mayPutOff() {
        return learned.tryRetry(clock.getAsLong());
    }

    /**
     * Lets a call wait for its next attempt, after {@link #mayRetry}. It holds no pass and no place any more.
     *
     * @return false if nothing waits here any more, for the node stops
     */
    public boolean retry(C call, Duration after) {
        long due = clock.getAsLong() + after.toNanos();
        synchronized (this) {
            if (closed) {
                return false;
            }
            line.addLater(call, due);
            countWaiting();
            neighbourhood.lined.add(this);
            return true;
        }
    }

    /** Takes the calls out of the line whose deadline has passed. */
    synchronized List<C> expire(long now) {
        List<C> expired = line.turn(now);
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
        List<C> left = line.clear();
        countWaiting();
        return left;
    }

    /** Keeps what is under way and what was learned, as far as the settings it was learned by stay. */
    synchronized void replace(DestinationPolicy next) {
        policy = next;
        retry = new RetryPolicy(next.retry());
        learned.replace(name, next);
    }

    @GuardedBy("this")
    void ended(Pass pass, HttpResult result) {
        holding.giveBack(pass.reserved);
        long now = clock.getAsLong();
        noteAnswer(result, now);
        learned.record(ResultKind.of(result), pass, now);
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
    void abandoned(Pass pass) {
        holding.giveBack(pass.reserved);
        learned.release(pass.probe);
    }

    boolean isCalledSince(long nanos) {
        return calledNanos - nanos >= 0;
    }

    synchronized boolean hasLine() {
        return line.size() > 0;
    }

    /** Whether forgetting it would lose nothing. */
    synchronized boolean isIdle(long now) {
        return holding.inFlight() == 0 && line.size() == 0 && learned.isNothing(now);
    }

    synchronized DestinationStatus status() {
        int limit = limit();
        return new DestinationStatus(
                name,
                configured,
                holding.inFlight(),
                limit == Integer.MAX_VALUE ? 0 : limit,
                line.size(),
                learned.breakerState(),
                learned.retriesRefused(),
                Duration.ofNanos(learned.pausedNanos(clock.getAsLong())),
                attempts,
                policy.rate());
    }
}
