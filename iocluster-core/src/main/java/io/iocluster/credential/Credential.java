package io.iocluster.credential;

import io.iocluster.credential.signature.AwsSigner;
import io.iocluster.credential.signature.RequestSigner;
import io.iocluster.credential.signature.WebhookSigner;
import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.settings.SettingsDigest;
import io.iocluster.thread.NodeClock;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One credential in its current version. Immutable except for its token; thread-safe. */
final class Credential {

    private static final AtomicLong VERSIONS = new AtomicLong();

    private final String name;
    private final long version = VERSIONS.incrementAndGet();
    private final long fingerprint;
    private final CredentialSettings settings;
    private final CredentialHosts hosts;
    private final List<Header> staticHeaders;
    private final TokenCache tokenCache;
    private final List<RequestSigner> signers;
    private final NodeClock clock;

    Credential(String name, CredentialSettings settings, NodeClock clock) {
        this.name = name;
        this.settings = settings;
        this.fingerprint = ByteBuffer.wrap(SettingsDigest.withSecrets(List.of(name, settings)))
                .getLong();
        this.hosts = new CredentialHosts(settings.hosts());
        this.staticHeaders = fixedHeaders(settings);
        this.tokenCache = settings.oauth2().isConfigured() ? new TokenCache(settings.oauth2(), clock::nanos) : null;
        this.signers = signers(settings);
        this.clock = clock;
    }

    private static List<RequestSigner> signers(CredentialSettings settings) {
        List<RequestSigner> signers = new ArrayList<>();
        if (settings.standardWebhooks().isConfigured()) {
            signers.add(new WebhookSigner(settings.standardWebhooks()));
        }
        // The last one, because it signs the headers too.
        if (settings.awsSigV4().isConfigured()) {
            signers.add(new AwsSigner(settings.awsSigV4()));
        }
        return List.copyOf(signers);
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

    /** Returns a number that no other credential and no other version of this one has. */
    long version() {
        return version;
    }

    /** Returns a number that depends on its name and its settings only. It must not leave the node, because it may reveal a short secret. */
    long fingerprint() {
        return fingerprint;
    }

    CredentialSettings settings() {
        return settings;
    }

    /** Returns null if the credential needs no token. */
    TokenCache tokenCache() {
        return tokenCache;
    }

    /** Returns why this call may not use the credential, or empty. */
    Optional<Rejection> check(HttpRequest request) {
        if (!hosts.matches(request.url().host(), request.url().port())
                || !settings.schemes().contains(request.url().scheme())) {
            return Optional.of(new Rejection(
                    ErrorCode.UNKNOWN_CREDENTIAL,
                    "the credential " + name + " must not be sent to "
                            + request.url().scheme() + "://" + request.url().host() + ":"
                            + request.url().port()));
        }
        Optional<Rejection> forbidden = request.headers().stream()
                .filter(header -> setsHeader(header.name()))
                .findFirst()
                .map(header -> new Rejection(
                        ErrorCode.FORBIDDEN_HEADER,
                        "the header " + header.name() + " is set by the credential " + name));
        if (forbidden.isPresent()) {
            return forbidden;
        }
        return signers.stream()
                .map(signer -> signer.check(request))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private boolean setsHeader(String header) {
        return (tokenCache != null && header.equalsIgnoreCase(CredentialSettings.AUTHORIZATION))
                || staticHeaders.stream().anyMatch(own -> own.name().equalsIgnoreCase(header))
                || signers.stream().anyMatch(signer -> signer.setsHeader(header));
    }

    /**
     * Returns the request with the secrets, signed at the current time. Only the executor may call it.
     *
     * @param token null if the credential needs none
     */
    HttpRequest authenticate(HttpRequest request, TokenResult token) {
        List<Header> headers = new ArrayList<>(request.headers());
        headers.addAll(staticHeaders);
        if (token != null) {
            headers.add(bearer(token.value()));
        }
        HttpRequest complete = request.withHeaders(headers);
        for (RequestSigner signer : signers) {
            complete = signer.sign(complete, Instant.ofEpochMilli(clock.wallMillis()));
        }
        return complete;
    }
}
