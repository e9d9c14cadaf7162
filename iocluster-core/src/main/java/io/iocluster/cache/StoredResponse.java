package io.iocluster.cache;

import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A response that may be used again. Its times are on the node's monotonic clock. Immutable.
 *
 * @param varying the request headers that selected it, in lower case and sorted
 * @param requestedNanos when the attempt started
 * @param receivedNanos when its last byte arrived
 * @param initialAgeNanos its age when it arrived (RFC 9111, section 4.2.3)
 * @param lifetimeNanos how old it may get, as its headers say; {@link #UNLIMITED} if they do not
 * @param noCache whether the target must confirm it before each use, because of {@code no-cache}
 * @param neverStale whether it may not be used after it has expired, even if the target fails
 * @param resource the number of its resource, see {@link CacheKeys#resource}
 * @param endNanos when the store removes it
 * @param refreshStarted whether a background refresh was started
 */
public record StoredResponse(
        int status,
        List<Header> headers,
        byte[] body,
        List<String> varying,
        long requestedNanos,
        long receivedNanos,
        long initialAgeNanos,
        long lifetimeNanos,
        boolean noCache,
        boolean neverStale,
        int resource,
        long endNanos,
        boolean refreshStarted)
        implements CacheEntry {

    /** The lifetime of a response whose headers give none. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** Bytes of heap for a header besides its characters: the record, two strings and their arrays. */
    static final int HEADER_OVERHEAD = 112;

    private static final String AGE = "age";

    @Override
    public long bytes() {
        long bytes = OVERHEAD + (long) body.length;
        for (Header header : headers) {
            bytes += HEADER_OVERHEAD + header.name().length() + header.value().length();
        }
        return bytes;
    }

    /** Returns its age, including the time before this node received it. */
    public long ageNanos(long nowNanos) {
        return initialAgeNanos + Math.max(0, nowNanos - receivedNanos);
    }

    /** Returns whether it answers this request without an attempt. */
    public boolean isFresh(CacheableRequest request, long nowNanos) {
        CacheSettings settings = request.settings();
        if (freshNanosLeft(settings, nowNanos) <= 0) {
            return false;
        }
        if (!settings.respectCacheControl()) {
            return true;
        }
        long maxAge = request.directives().seconds("max-age");
        long minFresh = request.directives().seconds("min-fresh");
        return !noCache
                && !request.wantsNewResponse()
                && (maxAge == CacheControl.NONE || ageNanos(nowNanos) <= TimeUnit.SECONDS.toNanos(maxAge))
                && (minFresh == CacheControl.NONE
                        || freshNanosLeft(settings, nowNanos) >= TimeUnit.SECONDS.toNanos(minFresh));
    }

    /** Returns whether it may answer a call for which it is not usable: only for {@code negative-ttl}. */
    public boolean isNegativelyFresh(CacheableRequest request, long nowNanos) {
        return nowNanos - receivedNanos < request.settings().negativeTtl().toNanos();
    }

    /** Returns whether a response that answers this request should be refreshed in the background. */
    public boolean needsRefresh(CacheableRequest request, long nowNanos) {
        CacheSettings settings = request.settings();
        // Otherwise a response with a short lifetime would be refreshed again as soon as it is stored.
        long half = freshNanosLeft(settings, receivedNanos) / 2;
        return !refreshStarted
                && !settings.refreshAhead().isZero()
                && freshNanosLeft(settings, nowNanos)
                        <= Math.min(half, settings.refreshAhead().toNanos());
    }

    /** Returns a copy whose background refresh was started. */
    StoredResponse withRefreshStarted() {
        return copy(requestedNanos, true);
    }

    /** Returns a copy whose attempt started at another time. */
    StoredResponse withRequestedNanos(long otherNanos) {
        return copy(otherNanos, refreshStarted);
    }

    private StoredResponse copy(long otherRequestedNanos, boolean otherRefreshStarted) {
        return new StoredResponse(
                status,
                headers,
                body,
                varying,
                otherRequestedNanos,
                receivedNanos,
                initialAgeNanos,
                lifetimeNanos,
                noCache,
                neverStale,
                resource,
                endNanos,
                otherRefreshStarted);
    }

    /** Returns whether it may answer this request because the target fails. */
    public boolean isUsableOnError(CacheableRequest request, long nowNanos) {
        CacheSettings settings = request.settings();
        return !settings.staleIfError().isZero()
                && (!settings.respectCacheControl() || (!neverStale && !noCache && !request.wantsNewResponse()))
                && freshNanosLeft(settings, nowNanos) > -settings.staleIfError().toNanos();
    }

    /** Returns the time until it expires; zero or less if it has. */
    private long freshNanosLeft(CacheSettings settings, long nowNanos) {
        long byTtl = settings.ttlOf(status).toNanos() - (nowNanos - receivedNanos);
        return settings.respectCacheControl() ? Math.min(byTtl, lifetimeNanos - ageNanos(nowNanos)) : byTtl;
    }

    /** Returns the headers that ask the target whether it is still current; empty if it has no validator. */
    public List<Header> validators() {
        List<Header> validators = new ArrayList<>(2);
        for (Header header : headers) {
            if (header.name().equals("etag")) {
                validators.add(new Header("If-None-Match", header.value()));
            } else if (header.name().equals("last-modified")) {
                validators.add(new Header("If-Modified-Since", header.value()));
            }
        }
        return validators;
    }

    /** Returns whether a 304 with these headers confirms it, and not another version that the target has. */
    public boolean isConfirmedBy(List<Header> notModified) {
        String confirmed = value(notModified, "etag");
        return confirmed == null || opaque(confirmed).equals(opaque(value(headers, "etag")));
    }

    private static String value(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.name().equals(name)) {
                return header.value();
            }
        }
        return null;
    }

    /** Returns an entity tag for a weak comparison (RFC 9110, section 8.8.3.2). */
    private static String opaque(String etag) {
        return etag != null && etag.startsWith("W/") ? etag.substring(2) : String.valueOf(etag);
    }

    /** Returns it as the target would have sent it now: with its age. */
    public Response toResponse(long nowNanos) {
        List<Header> sent = new ArrayList<>(headers.size() + 1);
        for (Header header : headers) {
            if (!header.name().equals(AGE)) {
                sent.add(header);
            }
        }
        sent.add(new Header(AGE, Long.toString(TimeUnit.NANOSECONDS.toSeconds(ageNanos(nowNanos)))));
        return new Response(status, sent, body, false, AttemptTiming.NONE);
    }

    /** Returns a copy that a 304 has confirmed. The headers of the 304 replace those of the same name (RFC 9111, section 3.2). */
    public Response updatedBy(Response notModified) {
        List<Header> updated = new ArrayList<>();
        for (Header header : headers) {
            if (isAboutContent(header.name()) || value(notModified.headers(), header.name()) == null) {
                updated.add(header);
            }
        }
        for (Header header : notModified.headers()) {
            if (!isAboutContent(header.name())) {
                updated.add(header);
            }
        }
        updated.removeIf(header -> header.name().equals(AGE) && value(notModified.headers(), AGE) == null);
        return new Response(status, updated, body, false, notModified.timing());
    }

    private static boolean isAboutContent(String name) {
        return name.equals("content-length") || name.equals("content-encoding") || name.equals("content-range");
    }

    /** Omits headers and body, because they may hold data that must not be logged. */
    @Override
    public String toString() {
        return "StoredResponse[" + status + ", " + body.length + " bytes]";
    }
}
