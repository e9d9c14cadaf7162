package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("deprecation")
class NettyHttpExecutorFactoryTest {

    private final EventLoopGroup loop =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));

    @AfterEach
    void shutDown() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void createsEventLoopsThatTheClientAccepts() {
        assertThat(loop).isInstanceOf(MultiThreadIoEventLoopGroup.class);
        assertThat(((MultiThreadIoEventLoopGroup) loop).executorCount()).isEqualTo(1);
        assertThat(loop).isInstanceOf(Epoll.isAvailable() ? EpollEventLoopGroup.class : NioEventLoopGroup.class);
    }

    @Test
    void createsExecutorsThatCheckAddresses() {
        try (ScriptedServer server = new ScriptedServer(connection -> {
                    while (connection.read() != null) {
                        connection.send("HTTP/1.1 204 No Content\n\n");
                    }
                });
                HttpExecutor allowed = new NettyHttpExecutorFactory(policy("127.0.0.0/8"), Platform.system())
                        .newExecutor(loop, HttpSettings.DEFAULTS);
                HttpExecutor denied = new NettyHttpExecutorFactory(policy(), Platform.system())
                        .newExecutor(loop, HttpSettings.DEFAULTS)) {
            assertThat(call(allowed, server.port())).isInstanceOf(HttpResult.Response.class);
            assertThat(TestExecutor.failure(call(denied, server.port())).code())
                    .isEqualTo(ErrorCode.ADDRESS_NOT_ALLOWED);
            assertThat(server.connections()).isEqualTo(1);
        }
        assertThat(loop.isShuttingDown()).as("the owner shuts the loop down").isFalse();
    }

    @Test
    void rejectsAGroupWithSeveralEventLoops() {
        EventLoopGroup two = new NioEventLoopGroup(2);
        try {
            assertThatThrownBy(() -> new NettyHttpExecutorFactory(policy(), Platform.system())
                            .newExecutor(two, HttpSettings.DEFAULTS))
                    .isInstanceOf(IllegalArgumentException.class);
        } finally {
            two.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    private static Supplier<EgressPolicy> policy(String... networks) {
        return TestExecutor.always(TestExecutor.policy(networks));
    }

    private HttpResult call(HttpExecutor executor, int port) {
        CompletableFuture<HttpResult> result = new CompletableFuture<>();
        loop.execute(() -> executor.execute(TestExecutor.get(port, "/"), Duration.ofSeconds(5), TestExecutor.UNLIMITED)
                .whenComplete((value, bug) -> result.complete(value)));
        return result.join();
    }
}
