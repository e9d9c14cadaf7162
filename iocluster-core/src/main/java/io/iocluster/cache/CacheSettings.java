package io.iocluster.cache;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which responses of a destination a node keeps and shares. Immutable. */
public record CacheSettings(
        @Setting(value = "0s", doc = "Longest time that a stored response answers further calls. 0: none is stored.")
        Duration ttl,

        @Setting(
                value = "0s",
                doc = "The `ttl` of responses with a status from 400 on, and of those that are not"
                        + " [usable](destinations.md#usable-answers). 0: they are not stored.")
        Duration negativeTtl,

        @Setting(
                value = "16MiB",
                doc = "Memory for the stored responses of this destination; those that are used least are removed"
                        + " first. A response larger than a quarter of it is not stored. All destinations must fit"
                        + " `http.cache.max-bytes`.")
        DataSize maxBytes,

        @Setting(
                value = "[GET, HEAD]",
                doc = "Methods whose calls use the cache: `GET`, `HEAD`, `OPTIONS`, and `POST` if such a call"
                        + " changes nothing at the target.")
        List<String> methods,

        @Setting(
                value = "[200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]",
                doc = "HTTP statuses of the responses that are stored.")
        List<StatusPattern> statuses,

        @Setting(doc = "What besides method, URL without query, and body must be equal so that calls share a response.")
        CacheKeySettings key,

        @Setting(doc = "What may differ between calls that share a response. Empty: nothing.")
        List<CacheSharing> shareAcross,

        @Setting(
                value = "false",
                doc = "Whether identical calls that are under way share one attempt. Each still gets its own answer.")
        boolean coalesce,

        @Setting(
                value = "0s",
                doc = "How long an expired response may be used while the target fails: the breaker is open, or an"
                        + " attempt gets no response or a 500, 502, 503 or 504. 0: never.")
        Duration staleIfError,

        @Setting(
                value = "0s",
                doc = "A call that uses a stored response in this time before it expires also refreshes it, once, in"
                        + " the background. 0: never.")
        Duration refreshAhead,

        @Setting(
                value = "true",
                doc = "Whether responses are stored and revalidated as their headers say (RFC 9111), for at most"
                        + " `ttl`. `false`: for `ttl`, even if they forbid that.")
        boolean respectCacheControl,

        @Setting(
                value = "false",
                doc = "Whether nodes share the stored responses of this destination: see `shared-cache`.")
        boolean shared) {

    private static final Duration MAX_TTL = Duration.ofDays(7);
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "OPTIONS", "POST");
    /** Responses that other callers cannot use: a part of a body, and the confirmation of a caller's own copy. */
    private static final List<Integer> PARTIAL_STATUSES = List.of(206, 304);

    /** The defaults of the configuration: no cache. */
    public static final CacheSettings DEFAULTS = new CacheSettings(
            Duration.ZERO,
            Duration.ZERO,
            DataSize.ofMebibytes(16),
            List.of("GET", "HEAD"),
            Stream.of("200", "203", "204", "300", "301", "308", "404", "405", "410", "414", "501")
                    .map(StatusPattern::parse)
                    .toList(),
            CacheKeySettings.DEFAULTS,
            List.of(),
            false,
            Duration.ZERO,
            Duration.ZERO,
            true,
            false);

    public CacheSettings {
        methods = List.copyOf(methods);
        statuses = List.copyOf(statuses);
        shareAcross = List.copyOf(shareAcross);
        SettingsValidator validator = new SettingsValidator();
        checkTime(validator, "ttl", ttl);
        checkTime(validator, "negative-ttl", negativeTtl);
        checkTime(validator, "stale-if-error", staleIfError);
        validator
                .checkNotNegative("refresh-ahead", refreshAhead)
                .check(
                        refreshAhead.isZero() || refreshAhead.compareTo(ttl) < 0,
                        "refresh-ahead",
                        "must be below ttl: " + DurationText.format(refreshAhead))
                .checkRange("max-bytes", maxBytes, new DataSize(64 * 1024), new DataSize(1L << 40))
                .check(!methods.isEmpty(), "methods", "must name at least one method")
                .check(
                        staleIfError.isZero() || !ttl.isZero(),
                        "stale-if-error",
                        "needs a ttl, because nothing is stored without one")
                .check(
                        !shared || !ttl.isZero() || !negativeTtl.isZero(),
                        "shared",
                        "needs a ttl or negative-ttl, because nothing is stored without one")
                .checkEach(
                        "methods",
                        methods,
                        (path, method) -> validator.check(
                                METHODS.contains(method),
                                path,
                                "must be GET, HEAD, OPTIONS or POST, because other methods change the target: "
                                        + method))
                .checkEach(
                        "statuses",
                        statuses,
                        (path, status) -> validator.check(
                                status.first() >= 200
                                        && (status.first() != status.last() || !isPartial(status.first())),
                                path,
                                "must be a final status other than 206 and 304: " + status));
        validator.throwIfInvalid();
    }

    private static void checkTime(SettingsValidator validator, String key, Duration time) {
        validator
                .checkNotNegative(key, time)
                .check(time.compareTo(MAX_TTL) <= 0, key, "must be at most 7d: " + DurationText.format(time));
    }

    private static boolean isPartial(int status) {
        return PARTIAL_STATUSES.contains(status);
    }

    /** Returns whether calls use the cache at all. */
    public boolean isEnabled() {
        return coalesce || stores();
    }

    /** Returns whether responses are stored. */
    public boolean stores() {
        return !ttl.isZero() || !negativeTtl.isZero();
    }

    /** Returns the longest time that a response with this status may be used; 0: it is not stored. */
    Duration ttlOf(int status) {
        if (isPartial(status) || !StatusPattern.anyMatches(statuses, status)) {
            return Duration.ZERO;
        }
        return status >= 400 ? negativeTtl : ttl;
    }

    /** Returns whether calls with different credentials may get each other's responses. */
    boolean isSharedAcross(CacheSharing who) {
        return shareAcross.contains(who);
    }
}
