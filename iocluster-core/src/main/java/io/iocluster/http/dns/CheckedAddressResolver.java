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

/** One event loop's gate. Resolves even a literal address through the other resolver, so that no spelling goes around it. */
final class CheckedAddressResolver extends AbstractAddressResolver<InetSocketAddress> {

    private final AddressResolver<InetSocketAddress> resolver;
    private final Supplier<EgressPolicy> policy;

    CheckedAddressResolver(
            EventExecutor executor, AddressResolver<InetSocketAddress> resolver, Supplier<EgressPolicy> policy) {
        super(executor, InetSocketAddress.class);
        this.resolver = resolver;
        this.policy = policy;
    }

    /** Never: an address that says it is resolved would be handed on unseen. */
    @Override
    protected boolean doIsResolved(InetSocketAddress address) {
        return false;
    }

    @Override
    protected void doResolve(InetSocketAddress unresolved, Promise<InetSocketAddress> promise) {
        resolver.resolveAll(unresolved).addListener((Future<List<InetSocketAddress>> found) -> {
            Throwable refusal = refusal(unresolved, found);
            if (refusal == null) {
                promise.trySuccess(found.getNow().get(0));
            } else {
                promise.tryFailure(refusal);
            }
        });
    }

    @Override
    protected void doResolveAll(InetSocketAddress unresolved, Promise<List<InetSocketAddress>> promise) {
        resolver.resolveAll(unresolved).addListener((Future<List<InetSocketAddress>> found) -> {
            Throwable refusal = refusal(unresolved, found);
            if (refusal == null) {
                promise.trySuccess(found.getNow());
            } else {
                promise.tryFailure(refusal);
            }
        });
    }

    private Throwable refusal(InetSocketAddress unresolved, Future<List<InetSocketAddress>> found) {
        if (!found.isSuccess()) {
            return found.cause();
        }
        String host = unresolved.getHostString();
        try {
            return policy.get().allows(host, found.getNow()) ? null : new AddressNotAllowedException(host);
        } catch (Throwable bug) {
            return bug; // A future's listener would lose it, and the caller would wait forever.
        }
    }
}
