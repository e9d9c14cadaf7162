package io.iocluster.egress;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the current policy, which is replaced as a whole. Thread-safe. Callers get it once for each check, so that the
 * whole check uses one policy.
 */
public final class CurrentEgressPolicy implements Supplier<EgressPolicy> {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentEgressPolicy.class);

    private final EgressViolationListener violations;
    private final ResolvedAddressCache addresses = new ResolvedAddressCache();

    @GuardedBy("this")
    private EgressSettings settings;

    private volatile EgressPolicy policy;

    public CurrentEgressPolicy(EgressSettings settings, EgressViolationListener violations) {
        this.violations = violations;
        this.settings = settings;
        this.policy = new EgressPolicy(settings, violations, addresses);
        warnUnlessEnforced(settings.mode());
    }

    @Override
    public EgressPolicy get() {
        return policy;
    }

    /** Returns the addresses of the hosts that were resolved and may be called. */
    public ResolvedAddressCache resolvedAddresses() {
        return addresses;
    }

    /** Replaces the policy if the settings differ. */
    public synchronized void replace(EgressSettings replacement) {
        if (replacement.equals(settings)) {
            return;
        }
        policy = new EgressPolicy(replacement, violations, addresses);
        settings = replacement;
        LOG.info("Egress policy replaced");
        warnUnlessEnforced(replacement.mode());
    }

    private static void warnUnlessEnforced(EgressMode mode) {
        switch (mode) {
            case ENFORCE -> {}
            case REPORT -> LOG.warn("egress.mode is report: calls that the egress policy forbids are made and counted");
            case OPEN ->
                LOG.warn("egress.mode is open: every sender can call any address that this machine reaches, including"
                        + " its own ports and the cloud's metadata service");
        }
    }
}
