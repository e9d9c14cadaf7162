package io.iocluster.http.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Opens a connection to one of a host's addresses (RFC 8305): starts the next address if the current one does not
 * connect within 250 ms, or at once if it fails. The first channel that connects wins, and all others are closed.
 * Confined to one event loop.
 */
public final class HappyEyeballs {

    private final EventLoop loop;
    private final FailedAddresses failed;
    private final AddressOrder order;
    private final LongSupplier nanoClock;

    /**
     * Creates an instance.
     *
     * @param loop runs all channels, timers and listeners
     * @param memory the addresses that are tried last; all instances of the loop may share it
     * @param nanoClock a monotonic clock, for the memory's times
     */
    public HappyEyeballs(EventLoop loop, FailedAddresses memory, LongSupplier nanoClock) {
        this.loop = loop;
        this.failed = memory;
        this.order = new AddressOrder(memory);
        this.nanoClock = nanoClock;
    }

    /**
     * Connects to one of the addresses. Must be called on the event loop.
     *
     * <p>The future ends on the event loop and, like that of {@link Bootstrap#connect}, before the channel's
     * {@code channelActive}. It fails with a {@link io.netty.channel.ConnectTimeoutException} if the timeout passes.
     * If every address fails before, it fails with the most specific cause: a refusal rather than any other failure,
     * and a timeout only if there is nothing else. A caller that cancels the future owns no channel; otherwise the
     * caller owns the channel of the future.
     *
     * @param bootstrap has channel class, options and a handler that may be added to several channels, such as a
     *     {@link io.netty.channel.ChannelInitializer}; it is copied for the event loop, without resolver and connect
     *     timeout
     * @param addresses resolved and allowed by the egress policy, at least one
     * @param timeout for all addresses together, positive
     */
    public Future<Channel> connect(Bootstrap bootstrap, List<InetSocketAddress> addresses, Duration timeout) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no address to connect to");
        }
        Bootstrap copy = bootstrap.clone(loop).disableResolver().option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 0);
        List<InetSocketAddress> sorted = order.sort(addresses, nanoClock.getAsLong());
        return new ConnectRace(loop, copy, sorted, timeout, failed, order, nanoClock).start();
    }
}
