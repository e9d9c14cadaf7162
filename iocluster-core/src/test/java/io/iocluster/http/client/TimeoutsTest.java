package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.UnresponsivePort;
import io.iocluster.message.ErrorCode;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.testkit.time.FakeClock;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests timeouts of attempts. */
@org.junit.jupiter.api.Timeout(60)
class TimeoutsTest extends ExecutorFixture {

    /** Tries again until an attempt is in time, because a busy machine may delay each of them. */
    @Test
    void failsAnAttemptWithinTenMillisecondsAndATimerTickOfItsTimeout() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.awaitClose();
        });
        TestExecutor executor = executor();
        AtomicInteger attempts = new AtomicInteger();

        await().pollDelay(Duration.ZERO).until(() -> {
            Duration timeout = Duration.ofMillis(60 + 7 * (attempts.getAndIncrement() % 20));
            long start = System.nanoTime();
            HttpResult.Failure failure =
                    TestExecutor.failure(executor.call(get(server.port(), "/"), timeout, TestExecutor.UNLIMITED)
                            .join());
            Duration delay = Duration.ofNanos(System.nanoTime() - start).minus(timeout);
            // The timeout may end before the connection is open.
            assertThat(failure.code()).isIn(ErrorCode.TIMEOUT, ErrorCode.CONNECT_TIMEOUT);
            assertThat(delay).isGreaterThanOrEqualTo(Duration.ZERO);
            return delay.compareTo(Duration.ofMillis(20)) < 0;
        });
    }

    @Test
    void countsTheCreationOfTheFirstClientTowardsTheTimeout() throws Exception {
        Duration timeout = Duration.ofHours(1);
        AtomicLong nanos = new AtomicLong();
        EventLoopGroup loop = NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("first", true));
        NettyHttpExecutor executor = new NettyHttpExecutor(
                loop,
                HttpSettings.DEFAULTS,
                host -> {
                    nanos.addAndGet(2 * timeout.toNanos());
                    return HttpProfile.of(HttpSettings.DEFAULTS);
                },
                TestExecutor.always(TestExecutor.policy("127.0.0.0/8")),
                DefaultAddressResolverGroup.INSTANCE,
                null,
                new FakeClock(nanos::get));
        ScriptedServer server = server(ScriptedServer.ScriptedConnection::awaitClose);

        HttpResult result = loop.submit(
                        () -> executor.execute(get(server.port(), "/"), timeout, TestExecutor.UNLIMITED))
                .get()
                .get(1, TimeUnit.MINUTES);

        assertThat(TestExecutor.failure(result).code()).isIn(ErrorCode.TIMEOUT, ErrorCode.CONNECT_TIMEOUT);
        executor.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void timesOutDuringASlowResponse() {
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n");
            while (true) {
                connection.send("1\nx\n");
                // Without a pause the response would be too large before the timeout.
                TimeUnit.MILLISECONDS.sleep(20);
            }
        });
        HttpResult.Failure failure = TestExecutor.failure(executor()
                .call(get(server.port(), "/"), Duration.ofSeconds(2), TestExecutor.UNLIMITED)
                .join());
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
    }

    @Test
    void timesOutWhileItWaitsForAConnectPermitWithoutTakingOne() throws IOException {
        try (UnresponsivePort unresponsive = new UnresponsivePort()) {
            TestExecutor executor = executor(
                    settings(0, 1, DataSize.ofMebibytes(1), BodyTooLargePolicy.TRUNCATE, Duration.ofSeconds(3)));
            CompletableFuture<HttpResult> first = executor.call(get(unresponsive.port(), "/"));
            HttpResult.Failure waiting = TestExecutor.failure(
                    executor.call(get(unresponsive.port(), "/"), Duration.ofMillis(100), TestExecutor.UNLIMITED)
                            .join());
            assertThat(waiting.code()).isEqualTo(ErrorCode.CONNECT_TIMEOUT);
            assertThat(first).isNotDone();

            first.join();
            await().until(() -> executor.connectingTargets() == 0);
        }
    }
}
