package io.iocluster.pipeline;

import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;
import io.netty.channel.EventLoopGroup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Passes each attempt to the test, which ends it on the attempt's event loop. */
public final class FakeExecutors implements HttpExecutorFactory {

    public final BlockingQueue<FakeAttempt> attempts = new LinkedBlockingQueue<>();
    final List<EventLoopGroup> loops = new CopyOnWriteArrayList<>();
    /** Whether no further executor can be created. */
    volatile boolean full;
    /** Thrown when an executor is created; null for nothing. */
    volatile Error noExecutor;
    /** Thrown by each attempt; null for nothing. */
    volatile Throwable defect;

    public record FakeAttempt(
            HttpRequest request,
            Duration timeout,
            BodyBudget budget,
            EventLoopGroup loop,
            CompletableFuture<HttpResult> result) {

        public void respond(int status) {
            end(new HttpResult.Response(
                    status, List.of(), "ok".getBytes(StandardCharsets.UTF_8), false, AttemptTiming.NONE));
        }

        public void fail(ErrorCode code, SentStatus sent) {
            end(new HttpResult.Failure(
                    code,
                    "because",
                    sent == SentStatus.NO ? Certainty.NOT_SENT : Certainty.UNKNOWN,
                    AttemptTiming.NONE));
        }

        public void end(HttpResult how) {
            loop.execute(() -> result.complete(how));
        }
    }

    /** Returns how many executors were created. */
    public int loopCount() {
        return loops.size();
    }

    /** Returns the next attempts by the first label of their hosts. */
    public Map<String, FakeAttempt> nextByHost(int count) throws InterruptedException {
        Map<String, FakeAttempt> next = new HashMap<>();
        for (int i = 0; i < count; i++) {
            FakeAttempt attempt = next();
            next.put(attempt.request().url().host().replace(".example", ""), attempt);
        }
        return next;
    }

    public FakeAttempt next() throws InterruptedException {
        FakeAttempt next = attempts.poll(1, TimeUnit.MINUTES);
        if (next == null) {
            throw new AssertionError("nothing was tried");
        }
        return next;
    }

    @Override
    public HttpExecutor create(EventLoopGroup loop, HttpSettings settings, DestinationPolicies destinations) {
        if (full) {
            throw new IllegalStateException("no room");
        }
        if (noExecutor != null) {
            throw noExecutor;
        }
        loops.add(loop);
        return new ConnectionlessExecutor() {
            @Override
            public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
                SneakyThrow.raise(defect);
                CompletableFuture<HttpResult> result = new CompletableFuture<>();
                attempts.add(new FakeAttempt(request, timeout, budget, loop, result));
                return result;
            }
        };
    }
}
