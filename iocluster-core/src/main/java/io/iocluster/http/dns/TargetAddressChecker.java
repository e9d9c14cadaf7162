package io.iocluster.http.dns;

import io.iocluster.egress.AddressNotAllowedException;
import io.iocluster.egress.Origin;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks the addresses of a target that a proxy connects to. A name that the node cannot resolve is allowed, because in
 * some networks only the proxy can resolve it. Confined to one event loop.
 */
public final class TargetAddressChecker {

    private final EventLoop loop;
    private final AddressResolverGroup<InetSocketAddress> resolvers;

    public TargetAddressChecker(EventLoop loop, AddressResolverGroup<InetSocketAddress> resolvers) {
        this.loop = loop;
        this.resolvers = resolvers;
    }

    /** Passes to the callback, now or later on the event loop, whether the target may be called. */
    public void check(Origin origin, Consumer<Boolean> callback) {
        resolvers
                .getResolver(loop)
                .resolveAll(InetSocketAddress.createUnresolved(origin.host(), origin.port()))
                .addListener((Future<List<InetSocketAddress>> found) ->
                        callback.accept(!(found.cause() instanceof AddressNotAllowedException)));
    }
}
