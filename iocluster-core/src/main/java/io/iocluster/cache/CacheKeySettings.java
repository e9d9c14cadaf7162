package io.iocluster.cache;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.List;
import java.util.Locale;

/** Which parts of a request must be equal so that calls share a response. Immutable. */
public record CacheKeySettings(
        @Setting(
                value = "[\"*\"]",
                doc = "Query parameters that must be equal; `*` for the whole query. The target must ignore all"
                        + " others, or callers get responses to other queries.")
        List<String> query,

        @Setting(
                value = "[\"*\"]",
                doc = "Request headers that must be equal; `*` for all but `traceparent`, `tracestate`, `baggage`,"
                        + " `Cache-Control` and `Pragma`. `Accept-Encoding`, `Authorization`, `Cookie`, headers that"
                        + " look like a credential or a signature, and those of the response's `Vary` must always be"
                        + " equal.")
        List<String> headers) {

    static final String ALL = "*";

    /** The defaults of the configuration: the whole query and all headers. */
    public static final CacheKeySettings DEFAULTS = new CacheKeySettings(List.of(ALL), List.of(ALL));

    public CacheKeySettings {
        query = List.copyOf(query);
        headers = headers.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
        SettingsValidator validator = new SettingsValidator();
        checkAlone(validator, "query", query);
        checkAlone(validator, "headers", headers);
        validator
                .checkEach(
                        "query",
                        query,
                        (key, name) -> validator.check(
                                name.equals(ALL) || name.matches("[\\w.~-]+"),
                                key,
                                "must be a name of letters, digits and any of . _ ~ -: " + name))
                .checkEach(
                        "headers",
                        headers,
                        (key, name) -> validator.check(
                                name.matches("[!#$%&'*+.^_`|~\\w-]+"), key, "must be the name of a header: " + name));
        validator.throwIfInvalid();
    }

    private static void checkAlone(SettingsValidator validator, String key, List<String> names) {
        validator.check(!names.contains(ALL) || names.size() == 1, key, "must have no other name beside *: " + names);
    }

    boolean hasWholeQuery() {
        return query.contains(ALL);
    }

    boolean hasAllHeaders() {
        return headers.contains(ALL);
    }
}
