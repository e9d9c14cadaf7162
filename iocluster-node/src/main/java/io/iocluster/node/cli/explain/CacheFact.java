package io.iocluster.node.cli.explain;

import io.iocluster.cache.CacheKeys;
import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.CacheSharing;
import io.iocluster.http.HttpRequest;
import io.iocluster.settings.DurationText;
import java.util.ArrayList;
import java.util.List;

/** Says whether a call uses the cache of its destination. Stateless. */
final class CacheFact {

    private CacheFact() {}

    static String of(CacheSettings settings, HttpRequest request) {
        if (!settings.isEnabled()) {
            return "none";
        }
        if (!CacheKeys.isCacheable(settings, request)) {
            return settings.methods().contains(request.method())
                    ? "not used: the call asks for a range, or is conditional"
                    : "not used: cache.methods has no " + request.method();
        }
        List<String> facts = new ArrayList<>();
        if (settings.stores()) {
            addStored(settings, facts);
        }
        if (!settings.staleIfError().isZero()) {
            facts.add("for " + DurationText.format(settings.staleIfError()) + " longer if the target fails");
        }
        if (settings.coalesce()) {
            facts.add("identical calls under way share one attempt");
        }
        if (settings.shared()) {
            facts.add("nodes share the responses");
        }
        facts.add("shared within " + who(settings));
        return String.join("; ", facts);
    }

    private static void addStored(CacheSettings settings, List<String> facts) {
        String ttl = DurationText.format(settings.ttl());
        String headers = settings.respectCacheControl() ? ", and only as their headers allow" : "";
        if (settings.negativeTtl().isZero()) {
            facts.add("responses with a status below 400 are used for up to " + ttl + headers);
            facts.add("others are not stored");
        } else {
            facts.add("responses are used for up to " + ttl + ", those from status 400 on for up to "
                    + DurationText.format(settings.negativeTtl()) + headers);
        }
    }

    private static String who(CacheSettings settings) {
        boolean anyApp = settings.shareAcross().contains(CacheSharing.APPS);
        boolean anyCredential = settings.shareAcross().contains(CacheSharing.CREDENTIALS);
        if (anyApp && anyCredential) {
            return "all calls";
        }
        return anyApp ? "one credential" : anyCredential ? "one app" : "one app and one credential";
    }
}
