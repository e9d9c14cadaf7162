package io.iocluster.cache;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import java.util.List;

/**
 * A request that may use the cache, with the settings that were in force when it came. Immutable.
 *
 * @param identity the app and the credential of the call
 * @param directives the request's own {@code Cache-Control}
 */
public record CacheableRequest(
        CacheSettings settings, CallIdentity identity, CacheKey key, HttpRequest request, CacheControl directives) {

    /** Returns null if the request may not use the cache. */
    public static CacheableRequest of(CacheSettings settings, CallIdentity identity, HttpRequest request) {
        if (!CacheKeys.isCacheable(settings, request)) {
            return null;
        }
        CacheControl directives = CacheControl.of(request.headers());
        return settings.respectCacheControl() && directives.has("no-store")
                ? null
                : new CacheableRequest(
                        settings, identity, CacheKeys.primary(settings, identity, request), request, directives);
    }

    /**
     * Returns the request as all nodes know it. Its key is the same on each of them.
     *
     * @param credentialVersion the same on all nodes whose credential has the same settings
     */
    public CacheableRequest onAllNodes(long credentialVersion) {
        CallIdentity everywhere = new CallIdentity(identity.app(), identity.credential(), credentialVersion);
        return new CacheableRequest(
                settings, everywhere, CacheKeys.primary(settings, everywhere, request), request, directives);
    }

    /** Returns whether the caller accepts only new responses, and stored ones that the target has confirmed. */
    public boolean wantsNewResponse() {
        return settings.respectCacheControl() && (directives.has("no-cache") || hasPragmaNoCache(request.headers()));
    }

    private static boolean hasPragmaNoCache(List<Header> headers) {
        boolean pragma = false;
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase("cache-control")) {
                return false;
            }
            pragma |= header.name().equalsIgnoreCase("pragma")
                    && header.value().strip().equalsIgnoreCase("no-cache");
        }
        return pragma;
    }

    /** Returns whether a response with these headers is also a response to the other request. */
    public boolean isSameVariant(CacheableRequest other, List<Header> responseHeaders) {
        List<String> varying = StorageRules.varying(responseHeaders);
        return varying != null
                && key.equals(other.key)
                && (identity.hasSameCredential(other.identity)
                        || StorageRules.isForOtherCredentials(settings, request, responseHeaders))
                && (varying.isEmpty() || CacheKeys.variant(this, varying).equals(CacheKeys.variant(other, varying)));
    }
}
