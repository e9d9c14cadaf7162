package io.iocluster.credential;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.Rejection;
import io.iocluster.egress.TargetUrl;
import io.iocluster.egress.UrlCheckResult;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.message.SentStatus;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Makes attempts with the credentials that they name, as these hold when the attempt begins. Confined to one event loop, as
 * the executor that it makes them with.
 */
public final class AuthenticatingHttpExecutor implements HttpExecutor {

    private final HttpExecutor http;
    private final EventLoop loop;
    private final CredentialStore credentials;
    private final Supplier<EgressPolicy> egress;

    /**
     * Makes one on a loop.
     *
     * @param http belongs to this loop; closed with this one
     * @param egress says whether a token may be fetched from where it should be
     */
    public AuthenticatingHttpExecutor(
            HttpExecutor http, EventLoop loop, CredentialStore credentials, Supplier<EgressPolicy> egress) {
        this.http = http;
        this.loop = loop;
        this.credentials = credentials;
        this.egress = egress;
    }

    @Override
    public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
        if (request.credential() == null) {
            return http.execute(request, timeout, budget);
        }
        Credential credential = credentials.find(request.credential());
        Optional<Rejection> refusal = CredentialStore.check(credential, request);
        if (refusal.isPresent()) {
            return CompletableFuture.completedFuture(
                    new Failure(refusal.get().code(), refusal.get().message(), SentStatus.NO, AttemptTiming.NONE));
        }
        if (credential.tokenCache() == null) {
            return http.execute(credential.authenticate(request, null), timeout, budget);
        }
        return new AuthenticatedAttempt(this, credential, request, timeout, budget).start();
    }

    /** Fetches a token, on this loop and within its own timeout: others may wait for it who have more time. */
    CompletionStage<TokenResult> fetchToken(OAuth2Settings settings) {
        UrlCheckResult verdict = egress.get().checkUrl(settings.tokenUrl());
        if (!(verdict instanceof TargetUrl url)) {
            String code = ((Rejection) verdict).code().wireName();
            return CompletableFuture.completedFuture(TokenResult.failure("the token URL may not be called: " + code));
        }
        AtomicInteger left = new AtomicInteger(TokenResponse.MAX_BYTES);
        return http.execute(
                        TokenRequest.create(url, settings), settings.timeout(), bytes -> left.addAndGet(-bytes) >= 0)
                .thenApply(result -> TokenResponse.toResult(result, settings));
    }

    HttpExecutor delegate() {
        return http;
    }

    EventLoop loop() {
        return loop;
    }

    @Override
    public ConnectionStats connectionStats() {
        return http.connectionStats();
    }

    @Override
    public void close() {
        http.close();
    }
}
