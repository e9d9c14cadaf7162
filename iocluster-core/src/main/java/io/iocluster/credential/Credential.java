package io.iocluster.credential;

import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One credential as it holds now. Immutable but for its token; for any thread. */
final class Credential {

    private final String name;
    private final CredentialSettings settings;
    private final CredentialHosts hosts;
    private final List<Header> fixed;
    private final TokenCache tokens;

    Credential(String name, CredentialSettings settings) {
        this.name = name;
        this.settings = settings;
        this.hosts = new CredentialHosts(settings.hosts());
        this.fixed = fixedHeaders(settings);
        this.tokens = settings.oauth2().isConfigured() ? new TokenCache(settings.oauth2(), System::nanoTime) : null;
    }

    private static List<Header> fixedHeaders(CredentialSettings settings) {
        List<Header> headers = new ArrayList<>();
        settings.headers().forEach((name, value) -> headers.add(new Header(name, value)));
        if (!settings.bearer().isEmpty()) {
            headers.add(bearer(settings.bearer()));
        }
        if (settings.basic().isConfigured()) {
            headers.add(new Header(
                    CredentialSettings.AUTHORIZATION, settings.basic().authorizationHeader()));
        }
        return List.copyOf(headers);
    }

    private static Header bearer(String token) {
        return new Header(CredentialSettings.AUTHORIZATION, "Bearer " + token);
    }

    CredentialSettings settings() {
        return settings;
    }

    /** Null if it needs none. */
    TokenCache tokenCache() {
        return tokens;
    }

    /** Why this call may not have it, if so. */
    Optional<Rejection> check(HttpRequest request) {
        if (!hosts.matches(request.url().host(), request.url().port())
                || !settings.schemes().contains(request.url().scheme())) {
            return Optional.of(new Rejection(
                    ErrorCode.UNKNOWN_CREDENTIAL,
                    "the credential " + name + " is not for " + request.url().scheme() + "://"
                            + request.url().host() + ":" + request.url().port()));
        }
        return request.headers().stream()
                .filter(header -> sends(header.name()))
                .findFirst()
                .map(header -> new Rejection(
                        ErrorCode.FORBIDDEN_HEADER,
                        "the header " + header.name() + " belongs to the credential " + name));
    }

    private boolean sends(String header) {
        return (tokens != null && header.equalsIgnoreCase(CredentialSettings.AUTHORIZATION))
                || fixed.stream().anyMatch(mine -> mine.name().equalsIgnoreCase(header));
    }

    /**
     * The call with its secrets, for the executor alone.
     *
     * @param token null if it needs none
     */
    HttpRequest authenticate(HttpRequest request, TokenResult token) {
        List<Header> headers = new ArrayList<>(request.headers());
        headers.addAll(fixed);
        if (token != null) {
            headers.add(bearer(token.value()));
        }
        return new HttpRequest(request.method(), request.url(), headers, request.body());
    }
}
