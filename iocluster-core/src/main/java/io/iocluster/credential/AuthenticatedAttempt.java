package io.iocluster.credential;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One attempt that needs a token: waits for it, makes the call, and where the target answers 401 makes it once more with
 * another token, all within one timeout. Confined to the executor's event loop.
 */
final class AuthenticatedAttempt {

    private static final int UNAUTHORIZED = 401;

    private final AuthenticatingHttpExecutor executor;
    private final Credential credential;
    private final HttpRequest request;
    private final BodyBudget budget;
    private final long endNanos;
    private final CompletableFuture<HttpResult> result = new CompletableFuture<>();

    /** The call with a token that is under way, or null. */
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
        this.endNanos = System.nanoTime() + timeout.toNanos();
    }

    CompletableFuture<HttpResult> start() {
        result.whenComplete((answer, bug) -> {
            if (result.isCancelled() && call != null) {
                call.cancel(true);
            }
        });
        withToken(
                token -> call(token, answer -> {
                    boolean again = answer instanceof Response response
                            && response.status() == UNAUTHORIZED
                            && left() > 0
                            && credential.tokenCache().invalidate(token);
                    if (again) {
                        withToken(another -> call(another, result::complete), missing -> result.complete(answer));
                    } else {
                        result.complete(answer);
                    }
                }),
                this::unavailable);
        return result;
    }

    private void call(TokenResult token, Consumer<HttpResult> then) {
        if (result.isCancelled()) {
            return;
        }
        CompletableFuture<HttpResult> begun = executor.delegate()
                .execute(credential.authenticate(request, token), Duration.ofNanos(Math.max(1, left())), budget);
        call = begun;
        begun.whenComplete((answer, bug) -> {
            if (bug == null) {
                orFail(() -> then.accept(answer));
            } else {
                result.completeExceptionally(bug);
            }
        });
    }

    /** Goes on with a token, or with the reason why there is none by the attempt's end. */
    private void withToken(Consumer<TokenResult> found, Consumer<String> missing) {
        TokenCache tokens = credential.tokenCache();
        CompletableFuture<TokenResult> token =
                tokens.get(() -> executor.fetchToken(tokens.settings())).toCompletableFuture();
        if (token.isDone()) {
            goOn(token.join(), found, missing);
            return;
        }
        CompletableFuture<TokenResult> first = new CompletableFuture<>();
        ScheduledFuture<?> late = executor.loop()
                .schedule(
                        () -> first.complete(TokenResult.failure("no token within the attempt's timeout")),
                        left(),
                        TimeUnit.NANOSECONDS);
        // Another worker may have fetched it, on its own loop.
        token.thenAccept(fetched -> onLoop(() -> first.complete(fetched)));
        first.thenAccept(fetched -> {
            late.cancel(false);
            orFail(() -> goOn(fetched, found, missing));
        });
    }

    /** Ends the attempt with any exception of the task, because a future would lose it. */
    private void orFail(Runnable step) {
        try {
            step.run();
        } catch (Throwable bug) {
            result.completeExceptionally(bug);
        }
    }

    private static void goOn(TokenResult token, Consumer<TokenResult> found, Consumer<String> missing) {
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
        } catch (RejectedExecutionException loopIsGone) {
            // Then the worker's supervisor answers its calls.
        }
    }

    private void unavailable(String problem) {
        result.complete(new Failure(ErrorCode.CREDENTIAL_UNAVAILABLE, problem, SentStatus.NO, AttemptTiming.NONE));
    }

    private long left() {
        return endNanos - System.nanoTime();
    }
}
