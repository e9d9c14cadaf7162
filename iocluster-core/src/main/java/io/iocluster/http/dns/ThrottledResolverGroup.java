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
 * Looks up an address only when it is the turn of who asks, for the client opens the connection as soon as it has one. What is
 * found passes the turn on to who asked, who ends it; where nothing is found it ends here.
 *
 * <p>Never closes the other group. Confined to the event loop of the turns.
 */
public final class ThrottledResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    private final ConnectThrottle turns;
    private final AddressResolverGroup<InetSocketAddress> resolvers;
    private final int maxAddresses;

    /**
     * Makes a group.
     *
     * @param maxAddresses how many addresses of a name are passed on, because the client dials one after the other
     */
    public ThrottledResolverGroup(
            ConnectThrottle turns, AddressResolverGroup<InetSocketAddress> resolvers, int maxAddresses) {
        this.turns = turns;
        this.resolvers = resolvers;
        this.maxAddresses = maxAddresses;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        AddressResolver<InetSocketAddress> resolver = resolvers.getResolver(executor);
        return new AbstractAddressResolver<>(executor, InetSocketAddress.class) {

            @Override
            protected boolean doIsResolved(InetSocketAddress address) {
                return false;
            }

            /** Only a SOCKS proxy is looked up so, on behalf of a call that has its turn. */
            @Override
            protected void doResolve(InetSocketAddress address, Promise<InetSocketAddress> promise) {
                PromiseNotifier.cascade(resolver.resolve(address), promise);
            }

            @Override
            protected void doResolveAll(InetSocketAddress address, Promise<List<InetSocketAddress>> promise) {
                turns.acquire(address, () -> lookUp(resolver, address, promise));
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
            turns.release(address);
            promise.tryFailure(bug);
            return;
        }
        found.addListener((Future<List<InetSocketAddress>> result) -> handOn(address, result, promise));
    }

    private void handOn(
            InetSocketAddress address,
            Future<List<InetSocketAddress>> found,
            Promise<List<InetSocketAddress>> promise) {
        if (!found.isSuccess()) {
            turns.release(address);
            promise.tryFailure(found.cause());
        } else if (!promise.trySuccess(first(found.getNow()))) {
            turns.release(address); // The caller no longer waits, and does not end the turn.
        }
    }

    private List<InetSocketAddress> first(List<InetSocketAddress> found) {
        return found.size() <= maxAddresses ? found : List.copyOf(found.subList(0, maxAddresses));
    }

    /** Its resolvers' own are the other group's. */
    @Override
    public void close() {}
}
