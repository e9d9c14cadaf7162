package io.iocluster.credential;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One attempt that needs a token. Waits for the token and sends the request; if the target returns 401, sends it once
 * more with a new token. All of it shares one timeout. Confined to the executor's event loop.
 */
final class AuthenticatedAttempt {

    private static final int UNAUTHORIZED = 401;

    private final AuthenticatingHttpExecutor executor;
    private final Credential credential;
    private final HttpRequest request;
    private final BodyBudget budget;
    private final long deadlineNanos;
    private final CompletableFuture<HttpResult> result = new CompletableFuture<>();

    /** The open request with a token, or null. */
    private Future<HttpResult> call;

    AuthenticatedAttempt(
            AuthenticatingHttpExecutor executor,
            Credential credential,
            HttpRequest request,
            Duration timeout,
            BodyBudget budget) {
        this.executor = executor;
        this.credential = credential;
        this.request = request;
        this.budget = budget;
        this.deadlineNanos = executor.clock().nanos() + timeout.toNanos();
    }

    CompletableFuture<HttpResult> start() {
        result.whenComplete((answer, bug) -> {
            if (result.isCancelled() && call != null) {
                call.cancel(true);
            }
        });
        withToken(
                token -> call(token, answer -> {
                    boolean retry = answer instanceof Response response
                            && response.status() == UNAUTHORIZED
                            && remainingNanos() > 0
                            && credential.tokenCache().invalidate(token);
                    if (retry) {
                        withToken(
                                newToken -> call(newToken, second -> result.complete(sentBefore(second))),
                                missing -> result.complete(answer));
                    } else {
                        result.complete(answer);
                    }
                }),
                this::failUnavailable);
        return result;
    }

    /** Returns the result of a second request. The target has seen the first one, however the second one ended. */
    private static HttpResult sentBefore(HttpResult second) {
        return second instanceof Failure failure
                ? new Failure(failure.code(), failure.message(), Certainty.UNKNOWN, failure.timing())
                : second;
    }

    private void call(TokenResult token, Consumer<HttpResult> then) {
        if (result.isCancelled()) {
            return;
        }
        CompletableFuture<HttpResult> started = executor.delegate()
                .execute(
                        credential.authenticate(request, token),
                        Duration.ofNanos(Math.max(1, remainingNanos())),
                        budget);
        call = started;
        started.whenComplete((answer, bug) -> {
            if (bug == null) {
                orFail(() -> then.accept(answer));
            } else {
                result.completeExceptionally(bug);
            }
        });
    }

    /** Calls {@code found} with a token, or {@code missing} with the reason why there is none before the attempt's timeout. */
    private void withToken(Consumer<TokenResult> found, Consumer<String> missing) {
        TokenCache tokens = credential.tokenCache();
        CompletableFuture<TokenResult> token =
                tokens.get(() -> executor.fetchToken(tokens.settings())).toCompletableFuture();
        if (token.isDone()) {
            continueWith(token.join(), found, missing);
            return;
        }
        CompletableFuture<TokenResult> first = new CompletableFuture<>();
        ScheduledFuture<?> timeoutTask = executor.loop()
                .schedule(
                        () -> first.complete(TokenResult.failure("no token within the attempt's timeout")),
                        remainingNanos(),
                        TimeUnit.NANOSECONDS);
        // Another worker may have fetched the token on its own loop.
        token.thenAccept(fetched -> onLoop(() -> first.complete(fetched)));
        first.thenAccept(fetched -> {
            timeoutTask.cancel(false);
            orFail(() -> continueWith(fetched, found, missing));
        });
    }

    /** Ends the attempt with any exception of the task, because a future would swallow it. */
    private void orFail(Runnable task) {
        try {
            task.run();
        } catch (Throwable bug) {
            result.completeExceptionally(bug);
        }
    }

    private static void continueWith(TokenResult token, Consumer<TokenResult> found, Consumer<String> missing) {
        if (token.isPresent()) {
            found.accept(token);
        } else {
            missing.accept(token.problem());
        }
    }

    private void onLoop(Runnable task) {
        if (executor.loop().inEventLoop()) {
            task.run();
            return;
        }
        try {
            executor.loop().execute(task);
        } catch (RejectedExecutionException loopIsShutDown) {
            // The supervisor answers the calls of a dead worker.
        }
    }

    private void failUnavailable(String problem) {
        result.complete(new Failure(ErrorCode.CREDENTIAL_UNAVAILABLE, problem, Certainty.NOT_SENT, AttemptTiming.NONE));
    }

    private long remainingNanos() {
        return deadlineNanos - executor.clock().nanos();
    }
}
