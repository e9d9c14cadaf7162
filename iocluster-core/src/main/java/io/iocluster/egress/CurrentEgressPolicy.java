package io.iocluster.egress;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy that holds now: always one whole policy, replaced as a whole. Whoever judges something asks for it once and
 * judges all of it by the same one. For any thread.
 */
public final class CurrentEgressPolicy implements Supplier<EgressPolicy> {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentEgressPolicy.class);

    private final EgressViolationListener reports;
    private final ResolvedAddressCache addresses = new ResolvedAddressCache();

    @GuardedBy("this")
    private EgressSettings settings;

    private volatile EgressPolicy policy;

    public CurrentEgressPolicy(EgressSettings settings, EgressViolationListener reports) {
        this.reports = reports;
        this.settings = settings;
        this.policy = new EgressPolicy(settings, reports, addresses);
        warn(settings.mode());
    }

    @Override
    public EgressPolicy get() {
        return policy;
    }

    /** Returns the addresses of the hosts that were resolved and may be called. */
    public ResolvedAddressCache resolvedAddresses() {
        return addresses;
    }

    /** Puts other settings in force; the same ones once more change nothing. */
    public synchronized void replace(EgressSettings replacement) {
        if (replacement.equals(settings)) {
            return;
        }
        policy = new EgressPolicy(replacement, reports, addresses);
        settings = replacement;
        LOG.info("the egress policy was replaced");
        warn(replacement.mode());
    }

    private static void warn(EgressMode mode) {
        switch (mode) {
            case ENFORCE -> {}
            case REPORT -> LOG.warn("egress.mode is report: what the egress policy forbids is called all the same");
            case OPEN ->
                LOG.warn("egress.mode is open: whoever can enqueue can call anything that this machine reaches, its own"
                        + " ports and the cloud's metadata service included");
        }
    }
}
