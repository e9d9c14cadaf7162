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
 * Looks a target up that a proxy will dial, to see whether it may be called. A name that the node cannot find passes: there
 * are networks where only the proxy can. Confined to one event loop.
 */
public final class TargetAddressChecker {

    private final EventLoop loop;
    private final AddressResolverGroup<InetSocketAddress> gate;

    public TargetAddressChecker(EventLoop loop, AddressResolverGroup<InetSocketAddress> gate) {
        this.loop = loop;
        this.gate = gate;
    }

    /** Says, now or later and on the loop, whether the target may be called. */
    public void check(Origin origin, Consumer<Boolean> then) {
        gate.getResolver(loop)
                .resolveAll(InetSocketAddress.createUnresolved(origin.host(), origin.port()))
                .addListener((Future<List<InetSocketAddress>> found) ->
                        then.accept(!(found.cause() instanceof AddressNotAllowedException)));
    }
}
