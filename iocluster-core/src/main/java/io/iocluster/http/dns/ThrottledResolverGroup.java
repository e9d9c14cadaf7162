package io.iocluster.http.dns;

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
 * Acquires a connect permit before each lookup, because the client opens the connection as soon as it has an address.
 * After a successful lookup the caller owns the permit and releases it; after a failed lookup it is released here.
 *
 * <p>Does not close its delegate. Confined to the event loop of the throttle.
 */
public final class ThrottledResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    private final ConnectThrottle throttle;
    private final AddressResolverGroup<InetSocketAddress> delegate;
    private final int maxAddresses;

    /**
     * Creates a group.
     *
     * @param maxAddresses maximum addresses of a name that are passed on, because the client tries one after the other
     */
    public ThrottledResolverGroup(
            ConnectThrottle throttle, AddressResolverGroup<InetSocketAddress> delegate, int maxAddresses) {
        this.throttle = throttle;
        this.delegate = delegate;
        this.maxAddresses = maxAddresses;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        AddressResolver<InetSocketAddress> resolver = delegate.getResolver(executor);
        return new AbstractAddressResolver<>(executor, InetSocketAddress.class) {

            @Override
            protected boolean doIsResolved(InetSocketAddress address) {
                return false;
            }

            /** Called only for a SOCKS proxy, on behalf of a call that holds a permit already. */
            @Override
            protected void doResolve(InetSocketAddress address, Promise<InetSocketAddress> promise) {
                PromiseNotifier.cascade(resolver.resolve(address), promise);
            }

            @Override
            protected void doResolveAll(InetSocketAddress address, Promise<List<InetSocketAddress>> promise) {
                throttle.acquire(address, () -> lookUp(resolver, address, promise));
            }
        };
    }

    private void lookUp(
            AddressResolver<InetSocketAddress> resolver,
            InetSocketAddress address,
            Promise<List<InetSocketAddress>> promise) {
        Future<List<InetSocketAddress>> found;
        try {
            found = resolver.resolveAll(address);
        } catch (Throwable bug) {
            throttle.release(address);
            promise.tryFailure(bug);
            return;
        }
        found.addListener((Future<List<InetSocketAddress>> result) -> passOn(address, result, promise));
    }

    private void passOn(
            InetSocketAddress address,
            Future<List<InetSocketAddress>> found,
            Promise<List<InetSocketAddress>> promise) {
        if (!found.isSuccess()) {
            throttle.release(address);
            promise.tryFailure(found.cause());
        } else if (!promise.trySuccess(first(found.getNow()))) {
            throttle.release(address); // The caller no longer waits and does not release the permit.
        }
    }

    private List<InetSocketAddress> first(List<InetSocketAddress> found) {
        return found.size() <= maxAddresses ? found : List.copyOf(found.subList(0, maxAddresses));
    }

    /** Does nothing, because the resolvers belong to the delegate. */
    @Override
    public void close() {}
}
