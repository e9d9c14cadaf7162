package io.iocluster.pipeline.cache;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheableRequest;
import io.iocluster.cache.StorageRules;
import io.iocluster.cache.StoredResponse;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallInterceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The attempts of one call, the leader. Its response is stored and answers identical calls, the followers. A follower waits in the queue of
 * its destination, so {@code max-waiting} and its own deadline limit it. If the leader ends without a result from an attempt, for example
 * because its deadline is shorter, the next follower leads. If its attempt fails, each follower makes its own. Thread-safe.
 */
final class SharedAttempt implements CallInterceptor {

    private static final int NOT_MODIFIED = 304;

    /** Statuses for which an expired response may be used (RFC 5861, section 4). */
    private static final Set<Integer> ERROR_STATUSES = Set.of(500, 502, 503, 504);

    private final DestinationCache cache;
    private final Call leader;
    private final CacheableRequest cached;
    /** The response that is to be replaced; null if there is none. Set before the leader's attempt starts. */
    private volatile StoredResponse expired;

    private final boolean background;

    /** Those of the leader before, if there was one. */
    private final Followers followers;

    /** Whether the leader's result is shared, or another call leads. */
    private final AtomicBoolean over = new AtomicBoolean();

    /** When the attempt started. Confined to the leader's worker, like the next two fields. */
    private long requestedNanos;

    private boolean conditional;

    /** Whether the attempt was made with the credential that the response will be stored for. */
    private boolean sameCredential;

    private SharedAttempt(
            DestinationCache cache,
            Call leader,
            CacheableRequest cached,
            StoredResponse expired,
            boolean background,
            Followers followers) {
        this.cache = cache;
        this.leader = leader;
        this.cached = cached;
        this.expired = expired;
        this.background = background;
        this.followers = followers;
    }

    /**
     * Returns the attempt of a call, to {@linkplain #attachTo attach} to it later.
     *
     * @param expired the response that is to be replaced; null if there is none
     */
    static SharedAttempt of(DestinationCache cache, Call leader, CacheableRequest cached, StoredResponse expired) {
        return new SharedAttempt(cache, leader, cached, expired, false, new Followers(cache.counters()));
    }

    /** Returns the attempt of a call without a message, which only refreshes a response. */
    static SharedAttempt inBackground(
            DestinationCache cache, Call leader, CacheableRequest cached, StoredResponse expired) {
        return new SharedAttempt(cache, leader, cached, expired, true, new Followers(cache.counters()));
    }

    /** Intercepts the attempts of a call from now on. */
    void attachTo(Call call) {
        call.progress().setInterceptor(this);
        if (call.isEnded()) {
            ended(call); // It may have ended before it could tell this object.
        }
    }

    /**
     * Adds a call that waits at its destination for this attempt.
     *
     * @return false if the attempt has ended and no other call leads
     */
    boolean join(Call call, CacheableRequest itsRequest) {
        return followers.join(call, itsRequest);
    }

    @Override
    public HttpRequest prepare(Call call, HttpRequest request) {
        requestedNanos = cache.nanos();
        // The settings may have changed while the call waited.
        sameCredential = cache.hasSameCredential(cached, request);
        List<Header> validators = sameCredential && expired != null ? expired.validators() : List.of();
        conditional = !validators.isEmpty();
        if (!conditional) {
            return request;
        }
        List<Header> headers = new ArrayList<>(request.headers());
        headers.addAll(validators);
        return request.withHeaders(headers);
    }

    /** No call waits for a refresh in the background, and a response of another credential must not be stored. */
    @Override
    public boolean allowsHedge(HttpRequest prepared) {
        return !background && (!sameCredential || cache.hasSameCredential(cached, prepared));
    }

    @Override
    public HttpResult complete(Call call, HttpResult result) {
        Outcome outcome = sameCredential ? outcome(result) : new Outcome(result, CacheResult.MISS, CacheUse.MISS);
        if (!(outcome.result() instanceof Response) && call.deadline().remainingNanos(cache.nanos()) <= 0) {
            return result; // The call ends because of its deadline, and then the next follower leads.
        }
        if (!over.compareAndSet(false, true)) {
            return outcome.result(); // The call ended meanwhile, and the next follower leads.
        }
        cache.attempts().remove(cached.key(), this);
        Map<Call, CacheableRequest> waiting = followers.close();
        count(outcome.how());
        call.progress().recordCacheUse(outcome.use());
        share(outcome, waiting);
        return outcome.result();
    }

    private void count(CacheResult how) {
        if (background) {
            cache.counters().countRefresh();
        } else {
            cache.counters().count(how);
        }
    }

    /** What the leader's attempt results in. */
    private record Outcome(HttpResult result, CacheResult how, CacheUse use) {}

    private Outcome outcome(HttpResult result) {
        long now = cache.nanos();
        if (isError(result) && expired != null && expired.isUsableOnError(cached, now)) {
            CacheUse use = new CacheUse(true, TimeUnit.NANOSECONDS.toMillis(expired.ageNanos(now)), true);
            return new Outcome(expired.toResponse(now), CacheResult.STALE, use);
        }
        if (!(result instanceof Response response)) {
            return new Outcome(result, CacheResult.MISS, CacheUse.MISS);
        }
        if (!conditional || response.status() != NOT_MODIFIED) {
            store(response);
            return new Outcome(response, CacheResult.MISS, CacheUse.MISS);
        }
        if (!expired.isConfirmedBy(response.headers())) {
            // The next call asks without validators, and so gets the version that there is.
            cache.remove(cached);
            return new Outcome(
                    new HttpResult.Failure(
                            ErrorCode.PROTOCOL_ERROR,
                            "the target answered 304 for a version that the node did not ask about",
                            Certainty.UNKNOWN,
                            response.timing()),
                    CacheResult.MISS,
                    CacheUse.MISS);
        }
        Response updated = leader.checkUsable(expired.updatedBy(response));
        store(updated);
        return new Outcome(updated, CacheResult.REVALIDATED, new CacheUse(true, 0, false));
    }

    private static boolean isError(HttpResult result) {
        return !(result instanceof Response response) || ERROR_STATUSES.contains(response.status());
    }

    /** Stores a response. One that is not usable by the rule of the leader is stored only if {@code negative-ttl} is set. */
    private void store(Response response) {
        boolean negative = response.usability().isUnusable();
        if (cached.settings().stores()
                && !(negative && cached.settings().negativeTtl().isZero())) {
            cache.store(cached, response, requestedNanos);
        }
    }

    /** Returns the request of the leader. */
    CacheableRequest cached() {
        return cached;
    }

    /**
     * Continues after a lookup in the cache that nodes share, for which the leader waits at its destination. Never throws.
     *
     * @param found a response, fresh or not; null if there is none
     */
    void lookedUp(StoredResponse found) {
        try {
            StoredResponse earlier = expired;
            if (found != null && (earlier == null || found.receivedNanos() - earlier.receivedNanos() > 0)) {
                expired = found;
            }
            if (found == null || !cache.answers(leader, cached, found)) {
                leader.target().startFollower(leader);
                return;
            }
            if (!over.compareAndSet(false, true)) {
                return; // The leader has ended, and another call leads.
            }
            cache.attempts().remove(cached.key(), this);
            Map<Call, CacheableRequest> waiting = followers.close();
            answerOrStart(leader, cached, found);
            waiting.forEach((follower, itsRequest) -> answerOrStart(follower, itsRequest, found));
        } catch (Throwable bug) {
            leader.target().removeWaiting(leader);
            leader.failWithDefect(bug);
        }
    }

    private void answerOrStart(Call call, CacheableRequest itsRequest, StoredResponse found) {
        if (!cached.isSameVariant(itsRequest, found.headers()) || !cache.tryAnswerWaiting(call, itsRequest, found)) {
            startAlone(call, itsRequest);
        }
    }

    private void share(Outcome outcome, Map<Call, CacheableRequest> waiting) {
        if (!sameCredential
                || !(outcome.result() instanceof Response response)
                || !StorageRules.isShareable(cached.settings(), response)
                || cache.store().isChangedSince(cached.request(), requestedNanos)) {
            waiting.forEach(this::startAlone);
            return;
        }
        CacheUse use = new CacheUse(true, outcome.use().ageMs(), outcome.use().stale());
        Response shared = new Response(
                response.status(), response.headers(), response.body(), response.truncated(), AttemptTiming.NONE);
        boolean counted = false;
        for (Map.Entry<Call, CacheableRequest> each : waiting.entrySet()) {
            if (!cached.isSameVariant(each.getValue(), response.headers())) {
                startAlone(each.getKey(), each.getValue());
                continue;
            }
            Call follower = each.getKey();
            follower.target().removeWaiting(follower);
            if (follower.tryEnd()) {
                counted = countBytes(follower, shared.body().length, counted);
                follower.progress().recordCacheUse(use);
                cache.counters().count(CacheResult.COALESCED);
                follower.reportAnswer(shared);
            }
        }
    }

    /** Counts the body for the first follower even if the node is full, because it stays on the heap once for all of them. */
    private static boolean countBytes(Call follower, int bytes, boolean counted) {
        if (bytes > 0 && !follower.permit().tryReserveToEncode(bytes) && !counted) {
            follower.permit().addBytes(bytes);
        }
        return true;
    }

    /** Lets a follower make its own attempts. */
    private void startAlone(Call follower, CacheableRequest itsRequest) {
        of(cache, follower, itsRequest, cache.find(itsRequest)).attachTo(follower);
        follower.target().startFollower(follower);
    }

    @Override
    public void ended(Call call) {
        if (over.compareAndSet(false, true)) {
            count(CacheResult.MISS);
            elect();
        }
    }

    /** Counts nothing, because the call is counted when its source offers it again. */
    @Override
    public void withdrawn(Call call) {
        if (over.compareAndSet(false, true)) {
            elect();
        }
    }

    /** Lets the first follower that has not ended lead the others. */
    private void elect() {
        Map.Entry<Call, CacheableRequest> first = followers.takeLeader();
        if (first == null) {
            cache.attempts().remove(cached.key(), this);
            return;
        }
        Call call = first.getKey();
        CacheableRequest itsRequest = first.getValue();
        SharedAttempt next = new SharedAttempt(cache, call, itsRequest, cache.find(itsRequest), false, followers);
        if (!cache.attempts().replace(cached.key(), this, next)) {
            cache.attempts().putIfAbsent(cached.key(), next);
        }
        next.attachTo(call);
        call.target().startFollower(call);
    }
}
