package io.iocluster.cache;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import io.iocluster.settings.SecretNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Computes the keys of requests. A producer chooses everything in a request, so each part is hashed with its length. A parameter that a
 * target might read as a listed one is part of the key too. Stateless.
 */
public final class CacheKeys {

    /** Headers that say how a call is traced or cached, and not what it asks for. */
    private static final Set<String> IGNORED =
            Set.of("traceparent", "tracestate", "baggage", "cache-control", "pragma");

    private static final Set<String> ALWAYS = Set.of("accept-encoding", "authorization", "cookie");

    private static final Set<String> NEVER_OF_CREDENTIALS = Set.of("origin", "user-agent", "referer");

    /** Headers with which a call asks for a part of a response, or only whether its own copy is current. */
    private static final Set<String> CONDITIONAL =
            Set.of("range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since");

    private CacheKeys() {}

    /** Returns whether a request with this method and these headers may use the cache. */
    public static boolean isCacheable(CacheSettings settings, HttpRequest request) {
        if (!settings.methods().contains(request.method())) {
            return false;
        }
        for (Header header : request.headers()) {
            if (CONDITIONAL.contains(lowerCase(header.name()))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the key of a request, without the headers that responses name in {@code Vary}. */
    public static CacheKey primary(CacheSettings settings, CallIdentity identity, HttpRequest request) {
        CacheKeySettings key = settings.key();
        KeyDigest digest = new KeyDigest();
        // A key of other settings may cover less of the request, or its response may forbid storing, so it must never
        // be equal.
        digest.add(settings.respectCacheControl() ? 1 : 0);
        addAll(digest, key.query());
        addAll(digest, key.headers());
        addIdentity(digest, settings, identity);
        digest.add(request.method())
                .add(request.url().scheme())
                .add(request.url().host())
                .add(request.url().port());
        addTarget(digest, key, request.url().pathAndQuery());
        addHeaders(digest, key, request.headers());
        return digest.add(request.body()).toKey();
    }

    /**
     * Returns the key of the response for a request. A header that the credential may set is not in the request, so the credential stands for
     * it.
     *
     * @param varying names in lower case from the response's {@code Vary}
     */
    public static CacheKey variant(CacheableRequest cached, List<String> varying) {
        CacheKey primary = cached.key();
        KeyDigest digest = new KeyDigest()
                .add(primary.first())
                .add(primary.second())
                .add(primary.third())
                .add(primary.fourth());
        for (String name : varying) {
            digest.add(name);
            List<String> values = new ArrayList<>();
            for (Header header : cached.request().headers()) {
                if (header.name().equalsIgnoreCase(name)) {
                    values.add(header.value());
                }
            }
            addAll(digest, values);
            if (!name.startsWith("accept") && !NEVER_OF_CREDENTIALS.contains(name)) {
                digest.add(cached.identity().credential()).add(cached.identity().credentialVersion());
            }
        }
        return digest.toKey();
    }

    /** Returns whether a request seems to have a secret in its headers or its query, or a credential adds one. */
    public static boolean hasSecret(HttpRequest request) {
        if (request.credential() != null) {
            return true;
        }
        for (Header header : request.headers()) {
            String name = lowerCase(header.name());
            if (!name.equals("accept-encoding") && isSensitive(name)) {
                return true;
            }
        }
        String query = request.url().pathAndQuery();
        for (String parameter : query.substring(path(query).length()).split("[?&;]")) {
            String name = lowerCase(parameter.split("=", 2)[0]).replace('_', '-');
            if (isSensitive(name) || name.contains("%")) {
                return true;
            }
        }
        return false;
    }

    /** Returns a number for the resource of a request: its URL without the query. Different resources may have the same number. */
    static int resource(HttpRequest request) {
        return 31 * request.url().origin().hashCode()
                + path(request.url().pathAndQuery()).hashCode();
    }

    private static void addIdentity(KeyDigest digest, CacheSettings settings, CallIdentity identity) {
        boolean anyApp = settings.isSharedAcross(CacheSharing.APPS);
        boolean anyCredential = settings.isSharedAcross(CacheSharing.CREDENTIALS);
        digest.add(anyApp ? 1 : 0).add(anyApp ? null : identity.app());
        digest.add(anyCredential ? 1 : 0).add(anyCredential ? null : identity.credential());
        digest.add(anyCredential ? 0 : identity.credentialVersion());
    }

    private static void addTarget(KeyDigest digest, CacheKeySettings key, String pathAndQuery) {
        if (key.hasWholeQuery()) {
            digest.add(pathAndQuery);
            return;
        }
        String path = path(pathAndQuery);
        digest.add(path);
        String query = pathAndQuery.substring(path.length());
        // Some targets separate parameters by semicolons.
        if (query.isEmpty() || query.indexOf(';') >= 0) {
            digest.add(query);
            return;
        }
        List<String> kept = new ArrayList<>();
        for (String parameter : query.substring(1).split("&", -1)) {
            if (counts(key.query(), parameter)) {
                kept.add(parameter);
            }
        }
        addAll(digest, kept);
    }

    /** Returns whether a parameter is part of the key: its name is listed, or a target might read it as a listed one. */
    private static boolean counts(List<String> names, String parameter) {
        int end = parameter.indexOf('=');
        String name = end < 0 ? parameter : parameter.substring(0, end);
        for (int i = 0; i < name.length(); i++) {
            if (!isPlain(name.charAt(i))) {
                return true;
            }
        }
        return names.stream().anyMatch(name::equalsIgnoreCase);
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    private static String path(String pathAndQuery) {
        int query = pathAndQuery.indexOf('?');
        return query < 0 ? pathAndQuery : pathAndQuery.substring(0, query);
    }

    private static void addHeaders(KeyDigest digest, CacheKeySettings key, List<Header> headers) {
        List<Header> kept = new ArrayList<>(headers.size());
        for (Header header : headers) {
            String name = lowerCase(header.name());
            if (key.hasAllHeaders() ? !IGNORED.contains(name) : key.headers().contains(name) || isSensitive(name)) {
                kept.add(new Header(name, header.value()));
            }
        }
        // Stable, because the order of the values of one name matters and the order of names does not.
        kept.sort(Comparator.comparing(Header::name));
        digest.add(kept.size());
        for (Header header : kept) {
            digest.add(header.name()).add(header.value());
        }
    }

    private static boolean isSensitive(String name) {
        return ALWAYS.contains(name)
                || SecretNames.isSecret(name)
                || name.contains("auth")
                || name.contains("signature")
                || name.contains("session");
    }

    private static void addAll(KeyDigest digest, List<String> texts) {
        digest.add(texts.size());
        texts.forEach(digest::add);
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
