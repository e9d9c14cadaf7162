package io.iocluster.pipeline.upstream;

import io.iocluster.http.HttpExecutor;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the upstreams behind a name. Attempts trigger the lookups, so a destination without calls causes
 * none. Thread-safe.
 */
final class UpstreamLookup {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamLookup.class);

    private final UpstreamName name;
    private final Consumer<List<UpstreamAddress>> listener;
    private final NodeClock clock;
    private final AtomicLong dueNanos;
    private final ProblemLog problem;

    /**
     * Creates a lookup that is due now.
     *
     * @param listener receives the upstreams of each lookup that succeeds
     */
    UpstreamLookup(UpstreamName name, Consumer<List<UpstreamAddress>> listener, NodeClock clock) {
        this.name = name;
        this.listener = listener;
        this.clock = clock;
        this.problem = new ProblemLog(LOG, null, clock);
        this.dueNanos = new AtomicLong(clock.nanos());
    }

    /** Returns where attempts go while no lookup has succeeded: the name itself; null for the host of the URL. */
    UpstreamAddress host() {
        return name instanceof UpstreamName.Host host ? host.address() : null;
    }

    /**
     * Starts a lookup on the event loop of the executor if one is due. The next one is due after the refresh interval, even if this one
     * never ends.
     */
    void runIfDue(HttpExecutor executor, Duration refresh) {
        long now = clock.nanos();
        long due = dueNanos.get();
        if (now - due >= 0 && dueNanos.compareAndSet(due, now + refresh.toNanos())) {
            executor.resolve(name).whenComplete((found, failure) -> {
                if (failure == null) {
                    problem.clear();
                    listener.accept(found);
                } else {
                    problem.raise("Upstream lookup failed; upstreams unchanged name=" + name, failure);
                }
            });
        }
    }
}
