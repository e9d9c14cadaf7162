package io.iocluster.pipeline.cache;

import io.iocluster.cache.CacheCounters;
import io.iocluster.cache.CacheKey;
import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import io.iocluster.cache.CacheableRequest;
import io.iocluster.cache.ResponseStore;
import io.iocluster.cache.StoredResponse;
import io.iocluster.cache.shared.SharedCache;
import io.iocluster.cache.shared.SharedLookup;
import io.iocluster.cache.shared.SharedRequest;
import io.iocluster.credential.CredentialStore;
import io.iocluster.destination.Admission;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.thread.NodeClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The stored responses of one destination, and the attempts that identical calls share. Thread-safe. */
final class DestinationCache {

    /** The node's bytes divided by this are the maximum size of a stored body to use, because a larger answer may never fit. */
    private static final int MAX_PART_OF_NODE = 2;

    /** How often a call looks for an attempt to share, before it makes its own. */
    private static final int MAX_TRIES = 1_000;

    private static final int FIRST_SERVER_ERROR = 500;

    private final String name;
    private final Environment node;
    private final ResponseStore store;
    private final CacheCounters counters = new CacheCounters();
    private final Map<CacheKey, SharedAttempt> attempts = new ConcurrentHashMap<>();

    /** The parts of the node that all caches use. */
    record Environment(
            CredentialStore credentials, InFlightWindow window, OpenCalls open, NodeClock clock, SharedCache shared) {}

    DestinationCache(String name, long maxBytes, Environment node) {
        this.name = name;
        this.node = node;
        this.store = new ResponseStore(maxBytes, node.clock()::nanos, node.clock()::wallMillis);
    }

    ResponseStore store() {
        return store;
    }

    CacheCounters counters() {
        return counters;
    }

    /** Attempts that identical calls share, by the key of their requests. */
    Map<CacheKey, SharedAttempt> attempts() {
        return attempts;
    }

    long nanos() {
        return node.clock().nanos();
    }

    /** Returns whether the request is still made with the credential that its response will be stored for. */
    boolean hasSameCredential(CacheableRequest cached, HttpRequest request) {
        return Objects.equals(request.credential(), cached.identity().credential())
                && node.credentials().version(request.credential())
                        == cached.identity().credentialVersion();
    }

    /** Answers a call, or lets it wait for another one. Returns null if it must make an attempt itself. */
    Admission admit(Call call, CacheableRequest cached, boolean sourceKeeps) {
        boolean waits = false;
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            StoredResponse stored = find(cached);
            CacheResult use = stored == null ? CacheResult.MISS : use(call, cached, stored);
            if (use != CacheResult.MISS) {
                Admission admission = answer(call, cached, stored, use, waits, sourceKeeps);
                if (admission != null) {
                    if (use == CacheResult.HIT && sourceKeeps && stored.needsRefresh(cached, nanos())) {
                        refresh(call, cached, stored);
                    }
                    return admission;
                }
            }
            SharedAttempt own = SharedAttempt.of(this, call, cached, stored);
            SharedAttempt other = isCoalesced(cached) ? attempts.putIfAbsent(cached.key(), own) : null;
            if (other == null) {
                return lead(call, own, waits, sourceKeeps);
            }
            if (!waits) {
                Admission admission = call.target().follow(call, !sourceKeeps);
                if (admission != Admission.QUEUED) {
                    return admission;
                }
                waits = true;
            }
            if (other.join(call, cached)) {
                return Admission.QUEUED;
            }
            Thread.yield(); // The other attempt has just ended, and its thread replaces or removes it now.
        }
        return lead(call, SharedAttempt.of(this, call, cached, null), waits, sourceKeeps);
    }

    /** Returns the stored response for a request, fresh or not; null if there is none. */
    StoredResponse find(CacheableRequest cached) {
        return cached.settings().stores() ? store.find(cached) : null;
    }

    /** Refreshes a stored response in the background. Poll thread only. */
    private void refresh(Call hit, CacheableRequest cached, StoredResponse stored) {
        if (!store.tryStartRefresh(cached, stored)) {
            return;
        }
        Call call = BackgroundRefresh.newCall(hit, cached.request(), node);
        SharedAttempt attempt = SharedAttempt.inBackground(this, call, cached, stored);
        if (isCoalesced(cached) && attempts.putIfAbsent(cached.key(), attempt) != null) {
            call.withdraw();
            return;
        }
        attempt.attachTo(call);
        Admission admission = call.target().offer(call);
        if (admission != Admission.ADMITTED && admission != Admission.QUEUED) {
            call.endWithoutResult();
        }
    }

    private static boolean isCoalesced(CacheableRequest cached) {
        return cached.settings().coalesce() && !cached.wantsNewResponse();
    }

    private CacheResult use(Call call, CacheableRequest cached, StoredResponse stored) {
        long now = nanos();
        if (stored.isFresh(cached, now)) {
            return CacheResult.HIT;
        }
        return stored.isUsableOnError(cached, now) && call.target().isBreakerBlocking()
                ? CacheResult.STALE
                : CacheResult.MISS;
    }

    /**
     * Lets a call make its own attempt. If nodes share responses, the call first waits in the queue of its destination for a lookup in their
     * cache. Returns null if the caller must start the call.
     */
    private Admission lead(Call call, SharedAttempt own, boolean waits, boolean sourceKeeps) {
        SharedLookup lookup = reserveLookup(call, own.cached());
        boolean queued = waits || (lookup != null && call.target().follow(call, !sourceKeeps) == Admission.QUEUED);
        own.attachTo(call);
        if (lookup != null && queued) {
            lookup.start(store, own::lookedUp);
            return Admission.QUEUED;
        }
        if (lookup != null) {
            lookup.cancel();
        }
        if (!queued) {
            return null;
        }
        call.target().startFollower(call);
        return Admission.QUEUED;
    }

    /** Returns null if the call must not wait for the cache that nodes share. A delayed retry must not start before its time. */
    private SharedLookup reserveLookup(Call call, CacheableRequest cached) {
        if (cached.wantsNewResponse() || call.delayedRetry() != null) {
            return null;
        }
        SharedRequest request = toShare(cached);
        return request == null ? null : node.shared().reserve(request);
    }

    /** Returns null if nodes do not share the response to this request. */
    private SharedRequest toShare(CacheableRequest cached) {
        if (!cached.settings().shared()
                || !cached.settings().stores()
                || !node.shared().isUsable()) {
            return null;
        }
        OptionalLong credential = node.credentials()
                .fingerprint(cached.identity().credential(), cached.identity().credentialVersion());
        return credential.isEmpty() ? null : new SharedRequest(name, cached, cached.onAllNodes(credential.getAsLong()));
    }

    /** Stores a response if that is allowed, in the node and in the cache that nodes share. Otherwise removes an earlier one. */
    void store(CacheableRequest cached, Response response, long requestedNanos) {
        StoredResponse stored = store.store(cached, response, requestedNanos);
        SharedRequest request = toShare(cached);
        if (request == null) {
            return;
        }
        if (stored != null) {
            node.shared().store(request, stored);
        } else if (response.status() < FIRST_SERVER_ERROR) {
            node.shared().remove(request);
        }
    }

    /** Removes the stored response for a request from the node and from the cache that nodes share. */
    void remove(CacheableRequest cached) {
        store.remove(cached);
        SharedRequest request = toShare(cached);
        if (request != null) {
            node.shared().remove(request);
        }
    }

    /** Returns whether a response that was found for a call answers it without an attempt. */
    boolean answers(Call call, CacheableRequest cached, StoredResponse stored) {
        return use(call, cached, stored) != CacheResult.MISS && toAnswer(call, cached, stored, nanos()) != null;
    }

    /** Answers a call that waits at its destination with a response from the cache that nodes share. Returns false if that is impossible. */
    boolean tryAnswerWaiting(Call call, CacheableRequest cached, StoredResponse stored) {
        CacheResult use = use(call, cached, stored);
        CacheResult shared = use == CacheResult.HIT ? CacheResult.SHARED : use;
        return use != CacheResult.MISS && answer(call, cached, stored, shared, true, false) != null;
    }

    /** Returns the answer to a call; null if the stored response is too large for it, or not usable by the rule of the call. */
    private Response toAnswer(Call call, CacheableRequest cached, StoredResponse stored, long now) {
        if (stored.body().length > node.window().maxMessageBytes() / MAX_PART_OF_NODE) {
            return null;
        }
        Response response = call.checkUsable(stored.toResponse(now));
        return response.usability().isUnusable() && !stored.isNegativelyFresh(cached, now) ? null : response;
    }

    /**
     * Answers a call with a stored response. Returns null if the response does not answer the call. Also returns null if the node
     * has too few free bytes for the answer and the source cannot keep the call.
     */
    private Admission answer(
            Call call,
            CacheableRequest cached,
            StoredResponse stored,
            CacheResult use,
            boolean waits,
            boolean sourceKeeps) {
        long now = nanos();
        Response response = toAnswer(call, cached, stored, now);
        if (response == null) {
            return null;
        }
        int bytes = stored.body().length;
        if (bytes > 0 && !call.permit().tryReserveToEncode(bytes)) {
            return sourceKeeps && !waits ? Admission.BACKPRESSURE : null;
        }
        if (waits) {
            call.target().removeWaiting(call);
        }
        if (call.tryEnd()) {
            long ageMs = TimeUnit.NANOSECONDS.toMillis(stored.ageNanos(now));
            call.progress().recordCacheUse(new CacheUse(true, ageMs, use == CacheResult.STALE));
            counters.count(use);
            call.reportAnswer(response);
        }
        return Admission.ADMITTED;
    }

    CacheStatus status() {
        Map<CacheResult, Long> results = new EnumMap<>(CacheResult.class);
        for (CacheResult each : CacheResult.values()) {
            results.put(each, counters.total(each));
        }
        return new CacheStatus(
                name, results, counters.refreshes(), store.size(), store.bytes(), store.maxBytes(), store.evictions());
    }
}
