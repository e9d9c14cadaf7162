package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.client.server.TargetListener;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the limits of idle connections with thousands of host names that resolve to one target. */
@Timeout(120)
class IdleConnectionLimitTest extends ExecutorFixture {

    private static final int HOSTS = 3_000;
    private static final int AT_ONCE = 100;

    @Test
    void closesTheLeastRecentlyUsedConnectionsOfThousandsOfHosts() throws Exception {
        TargetListener target = open(keepAliveTarget());
        TestExecutor executor = executorWithAnyName(HttpSettings.DEFAULTS);

        callEachHost(executor, target.port());

        int limit = HttpSettings.DEFAULTS.maxIdleConnections();
        // Netty reports a closed connection after the reads of the same turn of the event loop.
        await().untilAsserted(() ->
                assertThat(executor.executor().connectionStats().idle()).isEqualTo(limit));
        assertThat(executor.executor().connectionStats().hosts()).isEqualTo(limit);
        await().untilAsserted(() -> assertThat(target.openConnections()).isEqualTo(limit));
        executor.response(get("h" + (HOSTS - 1) + ".test", target.port()));
        assertThat(target.acceptedConnections()).isEqualTo(HOSTS);
        executor.response(get("h0.test", target.port()));
        assertThat(target.acceptedConnections()).isEqualTo(HOSTS + 1);
    }

    private static void callEachHost(TestExecutor executor, int port) {
        for (int first = 0; first < HOSTS; first += AT_ONCE) {
            List<CompletableFuture<HttpResult>> calls = new ArrayList<>();
            for (int i = first; i < first + AT_ONCE; i++) {
                calls.add(executor.call(get("h" + i + ".test", port)));
            }
            calls.forEach(call ->
                    assertThat(call.orTimeout(1, TimeUnit.MINUTES).join()).isInstanceOf(HttpResult.Response.class));
        }
    }

    private static HttpRequest get(String host, int port) {
        return new HttpRequest("GET", new TargetUrl("http", host, port, "/"), List.of(), null);
    }

    private TestExecutor executorWithAnyName(HttpSettings settings) {
        return open(new TestExecutor(
                settings, null, new LoopbackResolverGroup(), TestExecutor.always(TestExecutor.policy("127.0.0.0/8"))));
    }

    private static TargetListener keepAliveTarget() throws InterruptedException {
        return new TargetListener(connection -> connection.pipeline().addLast(new KeepAliveHandler()));
    }

    /** Resolves every name to the loopback address. */
    private static final class LoopbackResolverGroup extends AddressResolverGroup<InetSocketAddress> {

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new InetNameResolver(executor) {
                @Override
                protected void doResolve(String name, Promise<InetAddress> found) {
                    found.setSuccess(InetAddress.getLoopbackAddress());
                }

                @Override
                protected void doResolveAll(String name, Promise<List<InetAddress>> found) {
                    found.setSuccess(List.of(InetAddress.getLoopbackAddress()));
                }
            }.asAddressResolver();
        }
    }

    /** Responds to each read with a small response. */
    private static final class KeepAliveHandler extends ChannelInboundHandlerAdapter {

        private static final byte[] RESPONSE =
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
            ctx.writeAndFlush(Unpooled.wrappedBuffer(RESPONSE));
        }
    }
}
