package io.iocluster.credential;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.egress.UrlCheckResult;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.thread.NodeClock;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Makes attempts with the credential that the request names, in the version that is current when the attempt starts.
 * Confined to the event loop of the executor that it wraps.
 */
public final class AuthenticatingHttpExecutor implements HttpExecutor {

    private final HttpExecutor delegate;
    private final EventLoop loop;
    private final CredentialStore credentials;
    private final Supplier<EgressPolicy> egress;
    private final NodeClock clock;

    /**
     * Creates an executor on an event loop.
     *
     * @param delegate belongs to the same loop; closed with this executor
     * @param egress checks the token URLs
     */
    public AuthenticatingHttpExecutor(
            HttpExecutor delegate,
            EventLoop loop,
            CredentialStore credentials,
            Supplier<EgressPolicy> egress,
            NodeClock clock) {
        this.delegate = delegate;
        this.loop = loop;
        this.credentials = credentials;
        this.egress = egress;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        if (request.credential() == null) {
            return delegate.execute(request, timeout, budget);
        }
        Credential credential = credentials.find(request.credential());
        Optional<Rejection> rejection = CredentialStore.check(credential, request);
        if (rejection.isPresent()) {
            return CompletableFuture.completedFuture(new Failure(
                    rejection.get().code(), rejection.get().message(), Certainty.NOT_SENT, AttemptTiming.NONE));
        }
        if (credential.tokenCache() == null) {
            return delegate.execute(credential.authenticate(request, null), timeout, budget);
        }
        return new AuthenticatedAttempt(this, credential, request, timeout, budget).start();
    }

    /**
     * Fetches a token on this loop. Uses the fetch timeout, because other attempts with more time may wait for the
     * token.
     */
    CompletionStage<TokenResult> fetchToken(OAuth2Settings settings) {
        UrlCheckResult checked = egress.get().checkUrl(settings.tokenUrl());
        if (!(checked instanceof TargetUrl url)) {
            String code = ((Rejection) checked).code().wireName();
            return CompletableFuture.completedFuture(
                    TokenResult.failure("the egress policy rejects the token URL: " + code));
        }
        AtomicInteger remainingBytes = new AtomicInteger(TokenResponse.MAX_BYTES);
        return delegate.execute(
                        TokenRequest.create(url, settings),
                        settings.timeout(),
                        bytes -> remainingBytes.addAndGet(-bytes) >= 0)
                .thenApply(result -> TokenResponse.toResult(result, settings));
    }

    NodeClock clock() {
        return clock;
    }

    HttpExecutor delegate() {
        return delegate;
    }

    EventLoop loop() {
        return loop;
    }

    @Override
    public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
        return delegate.resolve(name);
    }

    @Override
    public ConnectionStats connectionStats() {
        return delegate.connectionStats();
    }

    @Override
    public void close() {
        delegate.close();
    }
}
