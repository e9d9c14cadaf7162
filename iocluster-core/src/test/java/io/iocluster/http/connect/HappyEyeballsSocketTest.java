package io.iocluster.http.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.http.client.server.UnresponsivePort;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dials real sockets. */
@Timeout(60)
class HappyEyeballsSocketTest {

    private final EventLoopGroup group =
            NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("test-loop", true));
    private final EventLoop loop = group.next();
    private final FailedAddresses memory = new FailedAddresses();
    private final HappyEyeballs eyeballs = new HappyEyeballs(loop, memory, System::nanoTime);

    @AfterEach
    void shutDown() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void connectsToTheAddressThatAnswersIfTheOtherIsSilent() throws Exception {
        try (UnresponsivePort silent = new UnresponsivePort();
                ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress silentAddress = loopback(silent.port());
            InetSocketAddress goodAddress = loopback(server.getLocalPort());
            for (int i = 0; i < 4; i++) {
                Channel channel = connect(Duration.ofMinutes(1), silentAddress, goodAddress)
                        .get();
                assertThat(channel.remoteAddress()).isEqualTo(goodAddress);
                channel.close().sync();
            }
        }
    }

    @Test
    void connectsToTheAddressThatAnswersIfTheOthersRefuse() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress goodAddress = loopback(server.getLocalPort());
            Channel channel = connect(Duration.ofMinutes(1), closedPort(), closedPort(), goodAddress)
                    .get();
            assertThat(channel.remoteAddress()).isEqualTo(goodAddress);
            channel.close().sync();
        }
    }

    @Test
    void reportsARefusalAndATimeout() throws Exception {
        Future<Channel> refused = connect(Duration.ofMinutes(1), closedPort(), closedPort());
        assertThat(refused.await().cause()).isInstanceOf(ConnectException.class).hasMessageContaining("refused");
        try (UnresponsivePort silent = new UnresponsivePort()) {
            Future<Channel> timedOut = connect(Duration.ofMillis(50), loopback(silent.port()));
            assertThat(timedOut.await().cause()).isInstanceOf(ConnectTimeoutException.class);
        }
    }

    private static InetSocketAddress closedPort() throws Exception {
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return loopback(closed.getLocalPort());
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private Future<Channel> connect(Duration timeout, InetSocketAddress... addresses) throws Exception {
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {}
                });
        return loop.submit(() -> eyeballs.connect(bootstrap, List.of(addresses), timeout))
                .get();
    }
}
