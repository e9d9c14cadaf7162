package io.iocluster.http.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.LongSupplier;

/** Opens connections for one executor. Confined to its event loop. */
public final class Dialer {

    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final AddressResolverGroup<InetSocketAddress> checkedResolvers;
    private final AddressResolverGroup<InetSocketAddress> resolvers;
    private final ConnectThrottle throttle;
    private final HappyEyeballs happyEyeballs;
    private final int maxAddresses;
    private final LongSupplier clock;

    /**
     * Creates a dialer.
     *
     * @param bootstrap has the channel class and the options
     * @param checkedResolvers resolve targets, and fail if the egress policy does not allow an address
     * @param resolvers resolve proxies, which the operator chose
     * @param throttle limits concurrent connects to one host and port
     * @param maxAddresses maximum addresses of a name that are tried
     * @param clock returns monotonic nanoseconds
     */
    public Dialer(
            EventLoop loop,
            Bootstrap bootstrap,
            AddressResolverGroup<InetSocketAddress> checkedResolvers,
            AddressResolverGroup<InetSocketAddress> resolvers,
            ConnectThrottle throttle,
            int maxAddresses,
            LongSupplier clock) {
        this.loop = loop;
        this.bootstrap = bootstrap;
        this.checkedResolvers = checkedResolvers;
        this.resolvers = resolvers;
        this.throttle = throttle;
        this.happyEyeballs = new HappyEyeballs(loop, new FailedAddresses(), clock);
        this.maxAddresses = maxAddresses;
        this.clock = clock;
    }

    /** Creates a dial. The caller starts it. */
    public Dial newDial(DialTarget target, boolean http1Only, DialListener listener) {
        return new Dial(this, target, http1Only, listener);
    }

    /** Returns the addresses of the target itself. Fails if the egress policy does not allow one of them. */
    public Future<List<InetSocketAddress>> resolve(DialTarget target) {
        return resolveAll(checkedResolvers, target.address());
    }

    Future<List<InetSocketAddress>> resolveNextHop(DialTarget target) {
        return resolveAll(target.profile().isProxied() ? resolvers : checkedResolvers, target.nextHop());
    }

    private Future<List<InetSocketAddress>> resolveAll(
            AddressResolverGroup<InetSocketAddress> group, InetSocketAddress address) {
        return group.getResolver(loop).resolveAll(address);
    }

    Future<Channel> connect(DialTarget target, List<InetSocketAddress> addresses, InetSocketAddress tunnelEnd) {
        List<InetSocketAddress> tried =
                addresses.size() <= maxAddresses ? addresses : List.copyOf(addresses.subList(0, maxAddresses));
        Bootstrap prepared = bootstrap.clone().handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel created) {
                if (target.needsTunnel()) {
                    created.pipeline()
                            .addLast(new ProxyConnector(
                                    target.profile().settings().proxy(),
                                    tunnelEnd,
                                    target.profile().settings().connectTimeout()));
                }
                created.pipeline().addLast(new Dial.Sink());
            }
        });
        return happyEyeballs.connect(
                prepared, tried, target.profile().settings().connectTimeout());
    }

    ConnectThrottle throttle() {
        return throttle;
    }

    long nanoTime() {
        return clock.getAsLong();
    }
}
