package io.iocluster.http.client;

import static io.iocluster.http.client.TestExecutor.get;
import static io.iocluster.http.client.TestExecutor.post;
import static io.iocluster.http.client.TestExecutor.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpResult;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.target.ScriptedServer;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests how much the event loop reads from a connection at once. A large body must not keep it from other connections. */
@Timeout(60)
class ReadFairnessTest extends ExecutorFixture {

    private static final int BODY_BYTES = 4 << 20;
    private static final int SMALL_BODY_BYTES = 1_000;
    private static final int POSTS = 50;
    private static final int SENT_AHEAD_BYTES = 256 << 10;
    /** Netty reads at most this much at once. */
    private static final int READ_BYTES = 64 << 10;

    @Test
    void aLargeBodyIsReadInSmallTurns() {
        CountDownLatch sentAhead = latch();
        String part = "x".repeat(SENT_AHEAD_BYTES);
        ScriptedServer server = server(connection -> {
            connection.read();
            connection.send("HTTP/1.1 200 OK\nContent-Length: " + BODY_BYTES + "\n\n" + part);
            sentAhead.countDown();
            for (int sent = SENT_AHEAD_BYTES; sent < BODY_BYTES; sent += SENT_AHEAD_BYTES) {
                connection.send(part);
            }
            connection.read();
        });
        TestExecutor executor = executor(settings(0, new DataSize(BODY_BYTES), Duration.ofSeconds(3)));
        TurnBudget turns = new TurnBudget(executor.loop(), sentAhead);

        HttpResult result = executor.call(get(server.port(), "/"), Duration.ofSeconds(30), turns)
                .join();

        assertThat(result)
                .isInstanceOfSatisfying(
                        HttpResult.Response.class,
                        response -> assertThat(response.body()).hasSize(BODY_BYTES));
        assertThat(executor.<Integer>onLoop(() -> turns.longest))
                .isPositive()
                .isLessThanOrEqualTo(NettyHttpExecutor.MAX_READS_IN_A_ROW * READ_BYTES);
    }

    /** Netty shrinks the buffer after reads that find little or nothing. */
    @Test
    void aSmallBodyIsReadAtOnceAfterManyPosts() {
        String body = "x".repeat(SMALL_BODY_BYTES);
        ScriptedServer server = server(connection -> {
            for (int i = 0; i < POSTS; i++) {
                connection.read();
                connection.send("HTTP/1.1 204 No Content\n\n");
            }
            connection.read();
            connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + Integer.toHexString(SMALL_BODY_BYTES)
                    + "\n" + body + "\n0\n\n");
            connection.read();
        });
        TestExecutor executor = executor();
        for (int i = 0; i < POSTS; i++) {
            executor.response(post(server.port(), "/", "body"));
        }
        AtomicInteger parts = new AtomicInteger();

        HttpResult result = executor.call(get(server.port(), "/"), TestExecutor.LONG_TIMEOUT, bytes -> {
                    parts.incrementAndGet();
                    return true;
                })
                .join();

        assertThat(result)
                .isInstanceOfSatisfying(
                        HttpResult.Response.class,
                        response -> assertThat(text(response)).isEqualTo(body));
        assertThat(parts).hasValue(1);
        assertThat(server.connections()).isEqualTo(1);
    }

    /** Measures how many bytes arrive between two tasks of the event loop. Confined to the loop. */
    private static final class TurnBudget implements BodyBudget {

        private final EventLoopGroup loop;
        private final CountDownLatch start;
        private int bytes;
        private int longest;

        TurnBudget(EventLoopGroup loop, CountDownLatch start) {
            this.loop = loop;
            this.start = start;
        }

        /** Refuses to double a large array, so that each part of the body is reserved by itself. */
        @Override
        public boolean tryReserve(int wanted) {
            awaitStart();
            if (wanted > READ_BYTES) {
                return false;
            }
            if (bytes == 0) {
                loop.execute(this::endTurn);
            }
            bytes += wanted;
            return true;
        }

        private void awaitStart() {
            try {
                assertThat(start.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
        }

        private void endTurn() {
            longest = Math.max(longest, bytes);
            bytes = 0;
        }
    }
}
