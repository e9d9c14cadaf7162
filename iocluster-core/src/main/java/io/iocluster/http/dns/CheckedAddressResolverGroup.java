package io.iocluster.http.dns;

import io.iocluster.egress.EgressPolicy;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Checks every resolved address against the egress policy before a connection is opened. If one address of a name is
 * not allowed, the lookup fails. The client connects to exactly the addresses that were checked, so DNS rebinding has
 * no effect.
 *
 * <p>Closes the delegate when it is closed. Thread-safe.
 */
public final class CheckedAddressResolverGroup extends AddressResolverGroup<InetSocketAddress> {

    private final AddressResolverGroup<InetSocketAddress> delegate;
    private final Supplier<EgressPolicy> policy;

    /** Reads the policy at each lookup, so that it can change while the node runs. */
    public CheckedAddressResolverGroup(
            AddressResolverGroup<InetSocketAddress> delegate, Supplier<EgressPolicy> policy) {
        this.delegate = delegate;
        this.policy = policy;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new CheckedAddressResolver(executor, delegate.getResolver(executor), policy);
    }

    @Override
    public void close() {
        super.close();
        delegate.close();
    }
}
