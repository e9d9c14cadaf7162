package io.iocluster.http.dns;

import io.iocluster.http.ProxySettings;
import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.PromiseNotifier;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Lets a proxy be found whose address no call may go to, for it was chosen by who configured the node; everything else
 * passes the gate. Closes neither of the two. For any thread.
 */
public final class ProxyAwareResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    private final InetSocketAddress proxy;
    private final AddressResolverGroup<InetSocketAddress> gate;
    private final AddressResolverGroup<InetSocketAddress> free;

    public ProxyAwareResolverGroup(
            ProxySettings proxy,
            AddressResolverGroup<InetSocketAddress> gate,
            AddressResolverGroup<InetSocketAddress> free) {
        this.proxy = InetSocketAddress.createUnresolved(proxy.host(), proxy.port());
        this.gate = gate;
        this.free = free;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        AddressResolver<InetSocketAddress> gated = gate.getResolver(executor);
        AddressResolver<InetSocketAddress> open = free.getResolver(executor);
        return new AbstractAddressResolver<>(executor, InetSocketAddress.class) {

            @Override
            protected boolean doIsResolved(InetSocketAddress address) {
                return false;
            }

            @Override
            protected void doResolve(InetSocketAddress address, Promise<InetSocketAddress> promise) {
                Future<InetSocketAddress> found = resolver(address).resolve(address);
                PromiseNotifier.cascade(found, promise);
            }

            @Override
            protected void doResolveAll(InetSocketAddress address, Promise<List<InetSocketAddress>> promise) {
                PromiseNotifier.cascade(resolver(address).resolveAll(address), promise);
            }

            private AddressResolver<InetSocketAddress> resolver(InetSocketAddress address) {
                return address.equals(proxy) ? open : gated;
            }
        };
    }

    /** Its resolvers belong to the other groups. */
    @Override
    public void close() {}
}
