package io.iocluster.pipeline.call;

import io.iocluster.destination.CallPermit;
import io.iocluster.http.HttpResult;
import io.iocluster.http.UpstreamHistory;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.SentStatus;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The state of a {@link Call} that changes: its attempts, and the worker that holds it. The attempts are written by the thread that owns
 * the call: the event loop of its worker, or the one that queues its retry. Any thread may read them, and may change the hold.
 */
public final class CallProgress {

    private static final AtomicReferenceFieldUpdater<CallProgress, Hold> HOLD =
            AtomicReferenceFieldUpdater.newUpdater(CallProgress.class, Hold.class, "hold");
    private static final AtomicReferenceFieldUpdater<CallProgress, CallPermit> HEDGE =
            AtomicReferenceFieldUpdater.newUpdater(CallProgress.class, CallPermit.class, "hedge");

    private int attempts;
    private volatile boolean attemptStarted;
    private volatile SentStatus sent;

    /** The current attempt; null if there is none. Confined to the worker's event loop. */
    private Future<HttpResult> attempt;

    /** The worker of the current or the last attempt; null before the first. */
    private volatile CallOwner owner;

    /** The hold of its worker; null while no worker holds it. */
    private volatile Hold hold;

    /** Intercepts the attempts of the call; null if nothing does. */
    private volatile CallInterceptor interceptor;

    /** How the cache was used for the response; null if it was not used. Written by the thread that ends the call. */
    private CacheUse cacheUse;

    /** The permit of the second attempt that runs beside the current one; null if there is none. */
    private volatile CallPermit hedge;

    /** Where its attempts connected to; null before the first one to a destination with upstreams. Written like the attempts. */
    private UpstreamHistory upstreamHistory;

    /** How often the watchdog has seen the call past its deadline. Confined to the watchdog. */
    private int overdueSweeps;

    CallProgress(int attempts, SentStatus sent) {
        this.attempts = attempts;
        this.sent = sent;
    }

    /** Assigns the call to a worker. */
    public void assignTo(Hold next) {
        owner = next.owner();
        hold = next;
    }

    public boolean isAssignedTo(Hold expected) {
        return hold == expected;
    }

    /** Returns whether a worker holds the call whose event loop is late. Supervisor's thread only. */
    public boolean isHeldByLateOwner() {
        Hold held = hold;
        return held != null && held.owner().isLate();
    }

    /** Changes the hold atomically; null removes it. Returns true if this caller changed it. */
    public boolean change(Hold from, Hold to) {
        return HOLD.compareAndSet(this, from, to);
    }

    /** Returns the worker of the current or the last attempt; null before the first. */
    CallOwner owner() {
        return owner;
    }

    /** Counts an attempt. From now on the target may see the call. */
    public void startAttempt() {
        attempts++;
        attemptStarted = true;
    }

    /** Sets the future that {@link #cancelAttempt} cancels. */
    public void attempting(Future<HttpResult> started) {
        attempt = started;
    }

    /** Forgets an attempt that has ended, because its result may hold a body that no budget counts any more. */
    public void attemptEnded(Future<HttpResult> ended) {
        if (attempt == ended) {
            attempt = null;
        }
    }

    /** Cancels the current attempt, if there is one. */
    public void cancelAttempt() {
        if (attempt != null) {
            attempt.cancel(true);
        }
    }

    /** Sets the permit of a second attempt. It is released when the call ends, unless it was {@linkplain #takeHedge taken} before. */
    public void setHedge(CallPermit permit) {
        hedge = permit;
    }

    /** Returns the permit of the second attempt to the first caller, which then owns it; null to others or if there is none. */
    public CallPermit takeHedge() {
        return hedge == null ? null : HEDGE.getAndSet(this, null);
    }

    /** Releases what the second attempt holds, if there is one. */
    public void endHedge() {
        CallPermit permit = takeHedge();
        if (permit != null) {
            permit.release();
        }
    }

    /** Records that no attempt is in progress. */
    void awaitRetry() {
        attemptStarted = false;
    }

    /** Records that the target may have seen the call in an attempt that has ended. */
    public void recordMaybeSent() {
        sent = SentStatus.MAYBE;
    }

    /** Returns the number of attempts that have started. */
    public int attempts() {
        return attempts;
    }

    /** Returns whether the current attempt has started. */
    public boolean isAttemptStarted() {
        return attemptStarted;
    }

    /** Returns whether the target may have seen the call in an earlier attempt. */
    public SentStatus sent() {
        return sent;
    }

    /** Returns whether the target may have seen the call, including the current attempt. */
    public SentStatus sentSoFar() {
        return attemptStarted ? SentStatus.MAYBE : sent;
    }

    /** Sets what intercepts the attempts of the call. */
    public void setInterceptor(CallInterceptor next) {
        interceptor = next;
    }

    /** Returns what intercepts the attempts of the call; null if nothing does. */
    public CallInterceptor interceptor() {
        return interceptor;
    }

    /** Records how the cache was used for the response. Only for the thread that ends the call. */
    public void recordCacheUse(CacheUse use) {
        cacheUse = use;
    }

    /** Returns how the cache was used for the response; null if it was not used. */
    public CacheUse cacheUse() {
        return cacheUse;
    }

    /** Returns where its attempts connected to. Only for the thread that owns the call. */
    UpstreamHistory upstreamHistory() {
        if (upstreamHistory == null) {
            upstreamHistory = new UpstreamHistory();
        }
        return upstreamHistory;
    }

    /** Counts a sweep of the watchdog that found the call past its deadline, and returns the count. */
    public int countOverdueSweep() {
        return ++overdueSweeps;
    }
}
