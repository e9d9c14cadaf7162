package io.iocluster.lab.bench;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.target.TargetProcess;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes calls with the HTTP client of a worker, all over one HTTP/2 connection. Its thread and its target are the only ones, as in a node with
 * one worker and one destination. Confined to the main thread.
 */
final class SharedConnectionCalls implements AutoCloseable {

    /** The scenario allows a twentieth of this delay, 1 ms, which is ten times the resolution of the pacer. */
    private static final String SIBLING = "/delay?ms=20";

    /**
     * Siblings for each other call. With ten, cancelled calls would cause two new connections a second, and their handshakes would take the
     * CPU time that the scenario then measures.
     */
    private static final int SIBLINGS_FOR_EACH_OTHER = 100;

    private static final long CANCELLED_AFTER_MILLIS = 10;

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final TargetProcess target;
    private final EventLoopGroup loop =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("bench-worker", true));
    private final HttpExecutor executor;
    private final HttpRequest sibling;
    private final AtomicInteger connectionWaits = new AtomicInteger();

    /** Creates a client that trusts the target. */
    SharedConnectionCalls(TargetProcess target) {
        this.target = target;
        HttpSettings settings = HttpSettings.DEFAULTS;
        TlsSettings tls = RecordCopy.with(
                TlsSettings.DEFAULTS, "ca", target.http2Certificate().toString());
        HttpProfile profile = new HttpProfile(settings.connectTimeout(), true, false, tls, ProxySettings.NONE);
        EgressPolicy policy = new EgressPolicy(
                RecordCopy.with(EgressSettings.DEFAULTS, "ports", List.of(), "allowNetworks", List.of("127.0.0.0/8")));
        executor = new NettyHttpExecutorFactory(() -> policy, Platform.system())
                .newExecutor(loop, settings, host -> profile);
        sibling = get(SIBLING);
    }

    private HttpRequest get(String path) {
        return new HttpRequest("GET", TargetUrl.parse(target.http2Url(path)), List.of(), null);
    }

    /**
     * Makes calls at a steady rate, with other calls between them, and waits until all have ended.
     *
     * @return the latency of each sibling, from the time when it was due to its response
     * @throws IllegalStateException if a call did not end as it should
     */
    LatencyHistogram run(Disturbance disturbance, int rate, int seconds) {
        LatencyRecorder latencies = new LatencyRecorder();
        int siblings = rate * seconds;
        boolean alone = disturbance.path().isEmpty();
        HttpRequest other = alone ? null : get(disturbance.path());
        CountDownLatch open = new CountDownLatch(siblings + (alone ? 0 : siblings / SIBLINGS_FOR_EACH_OTHER));
        AtomicReference<String> failure = new AtomicReference<>();
        Pacer pacer = Pacer.of(System.nanoTime(), Schedule.constant(rate, siblings), (number, due) -> {
            loop.execute(() -> executor.execute(sibling, TIMEOUT, bytes -> true).whenComplete((result, bug) -> {
                latencies.record(System.nanoTime() - due);
                countConnectionWait(result);
                end(open, failure, isOk(result), "a sibling", result);
            }));
            if (!alone && number % SIBLINGS_FOR_EACH_OTHER == SIBLINGS_FOR_EACH_OTHER - 1) {
                loop.execute(() -> disturb(disturbance, other, open, failure));
            }
        });
        pacer.start();
        await(open, Duration.ofSeconds(seconds).plus(TIMEOUT));
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        return latencies.histogram();
    }

    private void countConnectionWait(HttpResult result) {
        if (result instanceof HttpResult.Response response
                && response.timing().connectMs() + response.timing().tlsMs() > 0) {
            connectionWaits.incrementAndGet();
        }
    }

    /**
     * Returns how often siblings have waited for a new connection since the last call of this method. Of the siblings that wait for the same
     * connection, the first one counts.
     */
    int pollConnectionWaits() {
        return connectionWaits.getAndSet(0);
    }

    private void disturb(
            Disturbance disturbance, HttpRequest request, CountDownLatch open, AtomicReference<String> failure) {
        CompletableFuture<HttpResult> call = executor.execute(request, disturbance.timeout(), bytes -> true);
        if (disturbance == Disturbance.CANCELLED) {
            loop.schedule(() -> call.cancel(true), CANCELLED_AFTER_MILLIS, TimeUnit.MILLISECONDS);
        }
        call.whenComplete((result, cancelled) -> {
            boolean expected = switch (disturbance) {
                case CANCELLED -> call.isCancelled();
                case TIMED_OUT -> result instanceof HttpResult.Failure failed && failed.code() == ErrorCode.TIMEOUT;
                case ORDINARY, SLOW -> isOk(result);
                case NONE -> false;
            };
            end(open, failure, expected, disturbance.label() + ", one of them", result);
        });
    }

    private static boolean isOk(HttpResult result) {
        return result instanceof HttpResult.Response response && response.status() == 200;
    }

    private static void end(
            CountDownLatch open, AtomicReference<String> failure, boolean expected, String call, HttpResult result) {
        if (!expected) {
            failure.compareAndSet(null, call + " ended with " + result);
        }
        open.countDown();
    }

    private static void await(CountDownLatch open, Duration limit) {
        try {
            if (!open.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(open.getCount() + " calls did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        executor.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
