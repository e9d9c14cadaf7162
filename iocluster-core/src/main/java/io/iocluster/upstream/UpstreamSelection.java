package io.iocluster.upstream;

import io.iocluster.http.UpstreamAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/** An upstream that was selected for one attempt. The attempt counts as in flight until {@link #end}. Thread-safe. */
public final class UpstreamSelection {

    private final UpstreamBalancer balancer;
    private final Upstream upstream;
    private final long startNanos;
    private final AtomicBoolean ended = new AtomicBoolean();

    UpstreamSelection(UpstreamBalancer balancer, Upstream upstream, long startNanos) {
        this.balancer = balancer;
        this.upstream = upstream;
        this.startNanos = startNanos;
    }

    /** Returns where the attempt connects to. */
    public UpstreamAddress address() {
        return upstream.address();
    }

    /** Records the result of the attempt. Further calls have no effect. */
    public void end(UpstreamResult result) {
        if (ended.compareAndSet(false, true)) {
            balancer.end(upstream, result, startNanos);
        }
    }
}
