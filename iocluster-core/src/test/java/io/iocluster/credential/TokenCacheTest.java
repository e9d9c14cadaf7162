package io.iocluster.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.credential.OAuth2Settings.ClientAuth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TokenCacheTest {

    private final List<CompletableFuture<TokenResult>> fetches = new ArrayList<>();
    private long seconds;
    private final TokenCache cache = new TokenCache(settings(), () -> TimeUnit.SECONDS.toNanos(seconds));

    @Test
    void treatsAnExceptionOfTheFetchAsAFailure() {
        CompletionStage<TokenResult> token = cache.get(() -> {
            throw new IllegalStateException("a defect");
        });

        assertThat(token.toCompletableFuture().join().problem()).isEqualTo("a defect");
        assertThat(get().toCompletableFuture()).isDone();
    }

    @Test
    void refreshesATokenBeforeItExpiresAndUsesTheOldOneMeanwhile() {
        fetched("a", 60);

        seconds = 49;
        assertThat(value(get())).isEqualTo("a");
        assertThat(fetches).hasSize(1);
        seconds = 50;
        assertThat(value(get())).isEqualTo("a");
        assertThat(value(get())).isEqualTo("a");
        assertThat(fetches).hasSize(2);
        fetches.get(1).complete(token("b", 60));

        assertThat(value(get())).isEqualTo("b");
        assertThat(fetches).hasSize(2);
    }

    @Test
    void refreshesAShortLivedTokenAfterHalfItsLifetime() {
        fetched("a", 10);

        seconds = 4;
        get();
        assertThat(fetches).hasSize(1);
        seconds = 5;
        get();
        assertThat(fetches).hasSize(2);
    }

    @Test
    void doesNotReturnAnExpiredToken() {
        fetched("a", 60);

        seconds = 60;

        assertThat(get().toCompletableFuture()).isNotDone();
    }

    @Test
    void keepsTheTokenUntilItExpiresWhileFetchesFail() {
        fetched("a", 60);
        seconds = 50;
        get();
        fetches.get(1).complete(TokenResult.failure("unreachable"));

        assertThat(value(get())).isEqualTo("a");
        assertThat(fetches).hasSize(2);
        seconds = 55;
        assertThat(value(get())).isEqualTo("a");
        assertThat(fetches).hasSize(3);
    }

    @Test
    void repeatsTheFailureWithoutAFetchDuringTheBackoff() {
        get();
        fetches.get(0).complete(TokenResult.failure("unreachable"));

        assertThat(get().toCompletableFuture().join().problem()).isEqualTo("unreachable");
        assertThat(fetches).hasSize(1);
        seconds = 5;
        assertThat(get().toCompletableFuture()).isNotDone();
        assertThat(fetches).hasSize(2);
    }

    @Test
    void treatsAFailedFutureAsAFailure() {
        CompletionStage<TokenResult> pending = get();

        fetches.get(0).completeExceptionally(new IllegalStateException("defect"));

        assertThat(pending.toCompletableFuture().join().isPresent()).isFalse();
    }

    @Test
    void fetchesANewTokenAfterATargetRefusedTheOldOne() {
        TokenResult refused = fetched("a", 60);

        assertThat(cache.invalidate(refused)).isTrue();
        CompletionStage<TokenResult> renewed = get();
        fetches.get(1).complete(token("b", 60));

        assertThat(value(renewed)).isEqualTo("b");
        assertThat(cache.invalidate(refused))
                .as("a call that still has the old token")
                .isTrue();
        assertThat(value(get())).isEqualTo("b");
    }

    @Test
    void doesNotRefetchForATargetThatRefusesEveryToken() {
        assertThat(cache.invalidate(fetched("a", 60))).isTrue();
        TokenResult second = fetched("b", 60);

        assertThat(cache.invalidate(second)).isFalse();
        assertThat(value(get())).isEqualTo("b");
        seconds = 5;
        assertThat(cache.invalidate(second)).isTrue();
    }

    @Test
    void startsANewFetchAfterTheLoopOfTheFirstDied() {
        get();

        seconds = 5;
        get();
        assertThat(fetches).hasSize(1);
        seconds = 6;
        CompletionStage<TokenResult> later = get();
        assertThat(fetches).hasSize(2);
        fetches.get(1).complete(token("b", 60));

        assertThat(value(later)).isEqualTo("b");
    }

    private TokenResult fetched(String value, long lifetimeSeconds) {
        get();
        TokenResult token = token(value, lifetimeSeconds);
        fetches.get(fetches.size() - 1).complete(token);
        return token;
    }

    private CompletionStage<TokenResult> get() {
        return cache.get(() -> {
            CompletableFuture<TokenResult> fetch = new CompletableFuture<>();
            fetches.add(fetch);
            return fetch;
        });
    }

    private static TokenResult token(String value, long lifetimeSeconds) {
        return TokenResult.success(value, TimeUnit.SECONDS.toNanos(lifetimeSeconds));
    }

    private static String value(CompletionStage<TokenResult> pending) {
        return pending.toCompletableFuture()
                .getNow(TokenResult.failure("not yet"))
                .value();
    }

    private static OAuth2Settings settings() {
        return new OAuth2Settings(
                "https://id.example/token",
                "client",
                "secret",
                "",
                ClientAuth.BASIC,
                Map.of(),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5));
    }
}
