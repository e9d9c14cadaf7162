package io.iocluster.cache;

import io.iocluster.http.HttpDate;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Header;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Decides which responses are stored and shared, and for how long (RFC 9111, sections 3 and 4.2). One credential and one app count as one
 * user. If responses are shared across credentials, the rules of a shared cache for requests with {@code Authorization} apply too.
 * Stateless.
 */
public final class StorageRules {

    /** How long a response with a validator is kept after it has expired, so that it can be revalidated. */
    private static final long REVALIDATION_NANOS = Duration.ofHours(1).toNanos();

    /** 68 years, so that ages can be added and subtracted. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(Integer.MAX_VALUE);

    /** The largest number of request headers that select a response. */
    public static final int MAX_VARYING = 16;

    private StorageRules() {}

    /** Returns whether this response may also answer another call that is under way. */
    public static boolean isShareable(CacheSettings settings, Response response) {
        return varying(response.headers()) != null
                && !has(response.headers(), "set-cookie")
                && !(settings.respectCacheControl() && isForbidden(CacheControl.of(response.headers())));
    }

    private static boolean isForbidden(CacheControl control) {
        return control.has("no-store") || control.has("private");
    }

    /**
     * Returns the response to store, or null if it must not be stored.
     *
     * @param requestedNanos when the attempt started, on the node's monotonic clock
     * @param nowNanos now, on the same clock
     * @param nowMillis now, in milliseconds since the epoch
     */
    static StoredResponse toStore(
            CacheableRequest cached, Response response, long requestedNanos, long nowNanos, long nowMillis) {
        CacheSettings settings = cached.settings();
        long ttl = settings.ttlOf(response.status()).toNanos();
        if (ttl == 0 || response.truncated() || !isShareable(settings, response)) {
            return null;
        }
        boolean respects = settings.respectCacheControl();
        List<Header> headers = response.headers();
        CacheControl control = CacheControl.of(headers);
        if (!isForOtherCredentials(settings, cached.request(), headers)) {
            return null;
        }
        long lifetime = respects ? lifetimeNanos(headers, control, nowMillis) : StoredResponse.UNLIMITED;
        long age = respects ? initialAgeNanos(headers, nowNanos - requestedNanos, nowMillis) : 0;
        boolean noCache = respects && control.has("no-cache");
        boolean neverStale = respects
                && (control.has("must-revalidate") || control.has("proxy-revalidate") || control.has("s-maxage"));
        long fresh = noCache ? 0 : Math.max(0, Math.min(ttl, lifetime - age));
        long kept = fresh + keptAfterNanos(settings, headers, neverStale || noCache);
        return kept == 0
                ? null
                : new StoredResponse(
                        response.status(),
                        List.copyOf(headers),
                        response.body(),
                        varying(headers),
                        requestedNanos,
                        nowNanos,
                        age,
                        lifetime,
                        noCache,
                        neverStale,
                        CacheKeys.resource(cached.request()),
                        nowNanos + kept,
                        false);
    }

    private static long keptAfterNanos(CacheSettings settings, List<Header> headers, boolean neverStale) {
        long onError = neverStale ? 0 : settings.staleIfError().toNanos();
        boolean hasValidator = has(headers, "etag") || has(headers, "last-modified");
        return hasValidator ? Math.max(onError, REVALIDATION_NANOS) : onError;
    }

    /** Applies the rule for responses to requests with a credential (RFC 9111, section 3.5), if others may get them. */
    static boolean isForOtherCredentials(CacheSettings settings, HttpRequest request, List<Header> headers) {
        CacheControl control = CacheControl.of(headers);
        return !settings.respectCacheControl()
                || request.credential() == null
                || !settings.isSharedAcross(CacheSharing.CREDENTIALS)
                || control.has("public")
                || control.has("must-revalidate")
                || control.has("s-maxage");
    }

    private static long lifetimeNanos(List<Header> headers, CacheControl control, long nowMillis) {
        for (String directive : List.of("s-maxage", "max-age")) {
            if (control.has(directive)) {
                return TimeUnit.SECONDS.toNanos(control.seconds(directive));
            }
        }
        if (!has(headers, "expires")) {
            return StoredResponse.UNLIMITED;
        }
        long date = date(headers, "date", nowMillis).orElse(nowMillis);
        // An invalid date is in the past (RFC 9111, section 5.3).
        return TimeUnit.MILLISECONDS.toNanos(
                Math.max(0, date(headers, "expires", nowMillis).orElse(0L) - date));
    }

    private static long initialAgeNanos(List<Header> headers, long delayNanos, long nowMillis) {
        long date = date(headers, "date", nowMillis).orElse(nowMillis);
        long apparent = TimeUnit.MILLISECONDS.toNanos(Math.max(0, nowMillis - date));
        long corrected = TimeUnit.SECONDS.toNanos(ageSeconds(headers)) + Math.max(0, delayNanos);
        return Math.min(MAX_AGE_NANOS, Math.max(apparent, corrected));
    }

    /** Returns the largest {@code Age}; one that is not a number, or has more than nine digits, makes the response old. */
    private static long ageSeconds(List<Header> headers) {
        long seconds = 0;
        for (Header header : headers) {
            if (header.name().equals("age")) {
                String value = header.value().strip();
                seconds = Math.max(seconds, value.matches("\\d{1,9}") ? Long.parseLong(value) : Integer.MAX_VALUE);
            }
        }
        return seconds;
    }

    /** Returns the only date with this name; empty if it is missing, and also if it is invalid or not the only one. */
    private static Optional<Long> date(List<Header> headers, String name, long nowMillis) {
        List<Header> dates =
                headers.stream().filter(header -> header.name().equals(name)).toList();
        return dates.size() == 1
                ? HttpDate.parse(dates.get(0).value().strip(), Instant.ofEpochMilli(nowMillis))
                        .map(Instant::toEpochMilli)
                : Optional.empty();
    }

    /** Returns the request headers that select the response, in lower case and sorted; null if no request can select it. */
    public static List<String> varying(List<Header> headers) {
        TreeSet<String> names = new TreeSet<>();
        for (Header header : headers) {
            if (header.name().equals("vary")) {
                for (String name : header.value().split(",", -1)) {
                    names.add(name.strip().toLowerCase(Locale.ROOT));
                }
            }
        }
        names.remove("");
        return names.contains("*") || names.size() > MAX_VARYING ? null : List.copyOf(names);
    }

    private static boolean has(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.name().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
