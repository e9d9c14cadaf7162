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
 * Resolves the proxy's address without the egress check, because the operator chose it, and every other address with
 * the check. Does not close its delegates. Thread-safe.
 */
public final class ProxyAwareResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    private final InetSocketAddress proxy;
    private final AddressResolverGroup<InetSocketAddress> checkedGroup;
    private final AddressResolverGroup<InetSocketAddress> uncheckedGroup;

    public ProxyAwareResolverGroup(
            ProxySettings proxy,
            AddressResolverGroup<InetSocketAddress> checkedGroup,
            AddressResolverGroup<InetSocketAddress> uncheckedGroup) {
        this.proxy = InetSocketAddress.createUnresolved(proxy.host(), proxy.port());
        this.checkedGroup = checkedGroup;
        this.uncheckedGroup = uncheckedGroup;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        AddressResolver<InetSocketAddress> checked = checkedGroup.getResolver(executor);
        AddressResolver<InetSocketAddress> unchecked = uncheckedGroup.getResolver(executor);
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
                return address.equals(proxy) ? unchecked : checked;
            }
        };
    }

    /** Does nothing, because the resolvers belong to the delegates. */
    @Override
    public void close() {}
}
