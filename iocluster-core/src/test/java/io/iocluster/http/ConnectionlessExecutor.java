package io.iocluster.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An executor of a test. It has no connections and resolves no name. */
public interface ConnectionlessExecutor extends HttpExecutor {

    @Override
    default CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
        return new CompletableFuture<>();
    }

    @Override
    default ConnectionStats connectionStats() {
        return new ConnectionStats(0, 0, 0);
    }

    @Override
    default void close() {}
}
