package io.iocluster.http.dns;

import io.iocluster.egress.EgressPolicy;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * The gate in front of every connection: hands on what another resolver found, unless one of the addresses is not allowed.
 * The addresses it hands on are the ones that are dialled, so a name that changes its mind in between gains nothing.
 *
 * <p>Closes the other resolver when it is closed itself. For any thread.
 */
public final class CheckedAddressResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    private final AddressResolverGroup<InetSocketAddress> resolvers;
    private final Supplier<EgressPolicy> policy;

    /** Asks for the policy at each look-up, so that it may change while the node runs. */
    public CheckedAddressResolverGroup(
            AddressResolverGroup<InetSocketAddress> resolvers, Supplier<EgressPolicy> policy) {
        this.resolvers = resolvers;
        this.policy = policy;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new CheckedAddressResolver(executor, resolvers.getResolver(executor), policy);
    }

    @Override
    public void close() {
        super.close();
        resolvers.close();
    }
}
