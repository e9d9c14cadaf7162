package io.iocluster.http.client;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor.ConnectionStats;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.fuzz.Exchange;
import io.iocluster.http.client.fuzz.Exchange.Call;
import io.iocluster.http.client.fuzz.FuzzServer;
import io.iocluster.http.client.fuzz.Verdict;
import io.iocluster.http.client.fuzz.Verdict.Kind;
import io.iocluster.message.ErrorCode;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.record.RecordCopy;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Makes the calls of an {@link Exchange} and checks what the executor says about them. Throws an {@link AssertionError} if a call
 *
 * <ul>
 *   <li>does not end, or ends with {@code internal};
 *   <li>claims more than the server did, or is sent twice although the server may have processed it;
 *   <li>changes the next call, or leaves a connection, a permit or a buffer behind.
 * </ul>
 */
final class ResponseFuzzer implements AutoCloseable {

    private static final int MAX_BODY = 64 * 1024;
    /** Inputs between two searches for leaked buffers, which need a collection of garbage. */
    private static final int INPUTS_PER_LEAK_CHECK = 500;

    /** How often a request may be sent again because the server said that it did not process it. */
    private static final int MAX_UNPROCESSED = 3;

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    /** The timeout of calls whose server never ends its response. */
    private static final Duration SHORT_TIMEOUT = Duration.ofMillis(40);

    private static final HttpSettings SETTINGS =
            RecordCopy.with(HttpSettings.DEFAULTS, "maxResponseBody", new DataSize(MAX_BODY));

    private final TestExecutor executor;
    private final FuzzServer server;
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();
    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private int inputs;
    private volatile String step;

    ResponseFuzzer(boolean http2) throws InterruptedException {
        // Leaks of other tests in this JVM are reported before the listener is set.
        System.gc();
        PooledByteBufAllocator.DEFAULT.buffer(1).release();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
        executor = new TestExecutor(SETTINGS, FuzzServer.clientTls(http2));
        server = new FuzzServer(executor.loop());
        log.start();
        root.addAppender(log);
    }

    /** Makes one exchange and checks it. Returns when no connection is left. */
    void run(Exchange exchange) {
        try {
            log.list.clear();
            CompletableFuture<Void> played = new CompletableFuture<>();
            executor.loop().execute(() -> complete(played, () -> play(exchange)));
            played.get(3, TimeUnit.MINUTES);
            checkLog();
            if (++inputs % INPUTS_PER_LEAK_CHECK == 0) {
                checkLeaks();
            }
        } catch (ExecutionException violated) {
            throw failure(violated.getCause(), exchange);
        } catch (TimeoutException late) {
            throw failure(new AssertionError(step + " does not end", late), exchange);
        } catch (InterruptedException | AssertionError failed) {
            throw failure(failed, exchange);
        }
    }

    private static AssertionError failure(Throwable cause, Exchange exchange) {
        return new AssertionError(cause.getMessage() + "\n" + exchange, cause);
    }

    private static void complete(CompletableFuture<Void> result, Supplier<CompletableFuture<Void>> task) {
        try {
            task.get().whenComplete((done, failed) -> {
                if (failed == null) {
                    result.complete(null);
                } else {
                    result.completeExceptionally(failed instanceof CompletionException ? failed.getCause() : failed);
                }
            });
        } catch (Throwable failed) {
            result.completeExceptionally(failed);
        }
    }

    private CompletableFuture<Void> play(Exchange exchange) {
        step = "the warm-up";
        CompletableFuture<Void> played = server.expect(exchange);
        CompletableFuture<Void> warm = exchange.warmUp()
                ? checkHealthy(exchange, new Call("GET", Exchange.WARM_UP, null))
                : CompletableFuture.completedFuture(null);
        return warm.thenCompose(done -> playScript(exchange, played))
                .thenCompose(done -> {
                    step = "the next call";
                    String method = exchange.nextIsPost() ? "POST" : "GET";
                    byte[] body = exchange.nextIsPost() ? new byte[] {'n'} : null;
                    return checkHealthy(exchange, new Call(method, Exchange.NEXT, body));
                })
                .handle((done, failed) -> {
                    step = "the end";
                    server.endAll();
                    return checkNothingLeft(System.nanoTime(), failed);
                })
                .thenCompose(checked -> checked);
    }

    private CompletableFuture<Void> playScript(Exchange exchange, CompletableFuture<Void> played) {
        step = "the script";
        server.forgetBytes();
        Duration timeout = exchange.hangs() ? SHORT_TIMEOUT : TIMEOUT;
        List<CompletableFuture<HttpResult>> open = new ArrayList<>();
        for (Call call : exchange.calls()) {
            open.add(executor.executor().execute(request(exchange, call), timeout, TestExecutor.UNLIMITED));
        }
        CompletableFuture<Void> allDone = CompletableFuture.allOf(open.toArray(CompletableFuture[]::new));
        return CompletableFuture.anyOf(played, allDone)
                .thenCompose(done -> server.settle())
                .thenCompose(done -> {
                    if (!exchange.hangs() && isWaitingInVain(exchange, open)) {
                        server.endScript();
                    }
                    step = "a call";
                    return allDone;
                })
                .thenCompose(done -> {
                    step = "the script";
                    return server.hasStartedScript() ? played : allDone;
                })
                .thenCompose(done -> {
                    for (int i = 0; i < open.size(); i++) {
                        check(exchange, i, open.get(i).join());
                    }
                    server.recover();
                    return server.settle();
                });
    }

    private static boolean isWaitingInVain(Exchange exchange, List<CompletableFuture<HttpResult>> open) {
        for (int i = 0; i < open.size(); i++) {
            if (!open.get(i).isDone() && exchange.verdict(i).kind() != Kind.COMPLETE) {
                return true;
            }
        }
        return false;
    }

    private HttpRequest request(Exchange exchange, Call call) {
        String scheme = exchange.tls() ? "https" : "http";
        TargetUrl url = new TargetUrl(scheme, "127.0.0.1", server.port(), call.path());
        return new HttpRequest(call.method(), url, List.of(), call.body());
    }

    private CompletableFuture<Void> checkHealthy(Exchange exchange, Call call) {
        return executor.executor()
                .execute(request(exchange, call), TIMEOUT, TestExecutor.UNLIMITED)
                .thenAccept(result -> {
                    if (!isHealthy(call, result)) {
                        throw new AssertionError(
                                call.path() + " has another result than the server's answer: " + text(result));
                    }
                });
    }

    private static boolean isHealthy(Call call, HttpResult result) {
        return result instanceof HttpResult.Response response
                && response.status() == 200
                && Arrays.equals(response.body(), call.healthyBody());
    }

    private void check(Exchange exchange, int index, HttpResult result) {
        Call call = exchange.calls().get(index);
        Verdict verdict = exchange.verdict(index);
        int requests = server.requests(call.path());
        int repeats = (verdict.mayBeUnprocessed() ? MAX_UNPROCESSED : 0)
                + (call.method().equals("POST") ? 0 : 1);
        demand(requests <= 1 + repeats, "sent " + requests + " times", call, verdict, result);
        if (result instanceof HttpResult.Response response) {
            checkResponse(call, verdict, response);
            return;
        }
        HttpResult.Failure failure = (HttpResult.Failure) result;
        demand(failure.code() != ErrorCode.INTERNAL, "a defect", call, verdict, result);
        demand(verdict.kind() != Kind.COMPLETE, "a complete response is lost", call, verdict, result);
        switch (failure.certainty()) {
            case NOT_SENT -> demand(!exchange.hasReceived(server, call), "it was received", call, verdict, result);
            case NOT_PROCESSED ->
                demand(verdict.mayBeUnprocessed() || requests == 0, "it may be processed", call, verdict, result);
            case UNKNOWN -> {}
            case ANSWERED_IN_PART ->
                demand(server.hasStartedScript(), "the server sent nothing", call, verdict, result);
            case ANSWERED -> demand(verdict.kind() != Kind.INCOMPLETE, "it is not answered", call, verdict, result);
        }
    }

    private void checkResponse(Call call, Verdict verdict, HttpResult.Response response) {
        if (server.hasAnsweredWell(call.path()) && isHealthy(call, response)) {
            return;
        }
        boolean truncated = response.truncated() && response.body().length == MAX_BODY;
        demand(truncated || verdict.kind() != Kind.INCOMPLETE, "an incomplete response", call, verdict, response);
        demand(truncated || !response.truncated(), "truncated without need", call, verdict, response);
        if (verdict.kind() == Kind.COMPLETE) {
            byte[] sent = truncated ? Arrays.copyOf(verdict.body(), MAX_BODY) : verdict.body();
            boolean same = response.status() == verdict.status() && Arrays.equals(response.body(), sent);
            demand(same, "another response", call, verdict, response);
        }
    }

    private static void demand(boolean holds, String problem, Call call, Verdict verdict, HttpResult result) {
        if (!holds) {
            String sent = verdict.body() == null ? "" : " with " + verdict.body().length + " bytes";
            throw new AssertionError(problem + ": " + call.method() + " " + call.path() + ", the server's bytes are "
                    + verdict.kind() + " " + verdict.status() + sent + ", and the result is " + text(result));
        }
    }

    private static String text(HttpResult result) {
        if (result instanceof HttpResult.Response response) {
            String body = new String(response.body(), StandardCharsets.ISO_8859_1);
            return response.status() + " " + response.headers() + " " + body.length() + " bytes: "
                    + body.substring(0, Math.min(40, body.length())).replaceAll("\\s", "_");
        }
        return result.toString();
    }

    /** Waits until the executor has no connection any more. Then the result is the failure before, if any. */
    private CompletableFuture<Void> checkNothingLeft(long startNanos, Throwable failed) {
        ConnectionStats left = executor.executor().connectionStats();
        int permits = executor.openConnectPermits();
        if (server.openConnections() == 0 && left.equals(new ConnectionStats(0, 0, 0)) && permits == 0) {
            if (failed != null || server.violations().isEmpty()) {
                return failed == null
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(
                                failed instanceof CompletionException ? failed.getCause() : failed);
            }
            return CompletableFuture.failedFuture(new AssertionError("the server received " + server.violations()));
        }
        if (System.nanoTime() - startNanos > TIMEOUT.toNanos()) {
            return CompletableFuture.failedFuture(new AssertionError("the server has " + server.openConnections()
                    + " open connections, and the executor " + left + " and " + permits + " connect permits"));
        }
        return server.settle().thenCompose(done -> checkNothingLeft(startNanos, failed));
    }

    /** A line of the executor says that it has a defect; one of Netty says that no handler took an exception. */
    private void checkLog() {
        for (ILoggingEvent line : List.copyOf(log.list)) {
            if (!line.getThreadName().startsWith("test-loop")) {
                continue;
            }
            boolean ours = line.getLoggerName().startsWith("io.iocluster");
            if (line.getLevel().isGreaterOrEqual(ours ? Level.ERROR : Level.WARN)
                    && !line.getLoggerName().contains("ResourceLeakDetector")) {
                String trace = line.getThrowableProxy() == null
                        ? ""
                        : "\n" + ThrowableProxyUtil.asString(line.getThrowableProxy());
                throw new AssertionError("the log has: " + line.getLoggerName() + " " + line + trace);
            }
        }
    }

    /** Fails if a buffer was dropped without a release since the last check. */
    void checkLeaks() {
        System.gc();
        // Netty reports a leak when it allocates the next buffer.
        PooledByteBufAllocator.DEFAULT.buffer(1).release();
        String leak = leaks.poll();
        if (leak != null) {
            leaks.clear();
            throw new AssertionError("one of the last " + INPUTS_PER_LEAK_CHECK + " inputs leaks a buffer: " + leak);
        }
    }

    @Override
    public void close() {
        server.close();
        executor.close();
        root.detachAppender(log);
        ByteBufUtil.setLeakListener(null);
        ResourceLeakDetector.setLevel(levelBefore);
    }
}
