package io.iocluster.http.dns;

import io.iocluster.egress.AddressNotAllowedException;
import io.iocluster.egress.EgressPolicy;
import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * Checks resolved addresses against the egress policy. Confined to one event loop. Passes even literal addresses to the
 * delegate, so that no spelling bypasses the check.
 */
final class CheckedAddressResolver extends AbstractAddressResolver<InetSocketAddress> {

    private final AddressResolver<InetSocketAddress> delegate;
    private final Supplier<EgressPolicy> policy;

    CheckedAddressResolver(
            EventExecutor executor, AddressResolver<InetSocketAddress> delegate, Supplier<EgressPolicy> policy) {
        super(executor, InetSocketAddress.class);
        this.delegate = delegate;
        this.policy = policy;
    }

    /** Returns false always, because Netty passes on a resolved address without a check. */
    @Override
    protected boolean doIsResolved(InetSocketAddress address) {
        return false;
    }

    @Override
    protected void doResolve(InetSocketAddress unresolved, Promise<InetSocketAddress> promise) {
        delegate.resolveAll(unresolved).addListener((Future<List<InetSocketAddress>> found) -> {
            Throwable failure = failure(unresolved, found);
            if (failure == null) {
                promise.trySuccess(found.getNow().get(0));
            } else {
                promise.tryFailure(failure);
            }
        });
    }

    @Override
    protected void doResolveAll(InetSocketAddress unresolved, Promise<List<InetSocketAddress>> promise) {
        delegate.resolveAll(unresolved).addListener((Future<List<InetSocketAddress>> found) -> {
            Throwable failure = failure(unresolved, found);
            if (failure == null) {
                promise.trySuccess(found.getNow());
            } else {
                promise.tryFailure(failure);
            }
        });
    }

    private Throwable failure(InetSocketAddress unresolved, Future<List<InetSocketAddress>> found) {
        if (!found.isSuccess()) {
            return found.cause();
        }
        String host = unresolved.getHostString();
        try {
            return policy.get().allows(host, found.getNow()) ? null : new AddressNotAllowedException(host);
        } catch (Throwable bug) {
            return bug; // A future's listener swallows exceptions, and the caller would wait forever.
        }
    }
}
