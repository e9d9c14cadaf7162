package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.Platform;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {

    private final CompletableFuture<Boolean> closedUnderLock = new CompletableFuture<>();
    private final WorkerPool pool =
            new WorkerPool(this::worker, Duration.ofSeconds(10), PipelineEvents.NONE, Platform.system());

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void evictsARetiredWorkerWithoutTheLockOfThePool() throws Exception {
        pool.start(2);

        pool.resize(1);

        assertThat(closedUnderLock.get(1, TimeUnit.MINUTES)).isFalse();
    }

    private Worker worker(String name) {
        HttpExecutor executor = new HttpExecutor() {
            @Override
            public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
                throw new AssertionError("no call is made");
            }

            @Override
            public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
                throw new AssertionError("no name is looked up");
            }

            @Override
            public ConnectionStats connectionStats() {
                return new ConnectionStats(0, 0, 0);
            }

            @Override
            public void close() {
                closedUnderLock.complete(Thread.holdsLock(pool));
            }
        };
        return new Worker(
                name,
                NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory(name, true))
                        .next(),
                executor,
                null,
                null,
                PipelineEvents.NONE,
                new OpenCalls(Platform.system()),
                Platform.system());
    }
}
