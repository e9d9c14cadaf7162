package io.iocluster.node.problem;

import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reports a shared cache that has not been usable for a while, or does not store responses. */
final class UnusableSharedCache {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private UnusableSharedCache() {}

    static void addProblem(Optional<SharedCacheStatus> cache, List<Problem> problems) {
        cache.map(UnusableSharedCache::text)
                .ifPresent(text -> problems.add(new Problem(
                        Kind.SHARED_CACHE_OUT,
                        Severity.WARN,
                        cache.get().address(),
                        "The shared cache at " + cache.get().address() + text,
                        "The nodes call the target instead, so it gets more calls. Check the store.")));
    }

    private static String text(SharedCacheStatus cache) {
        if (cache.reason() != null) {
            return cache.outage().compareTo(PATIENCE) < 0 ? null : " cannot be used: " + cache.reason() + ".";
        }
        return cache.writeProblem() == null ? null : " does not store responses: " + cache.writeProblem() + ".";
    }
}
