package io.iocluster.destination.policy;

import java.util.List;

/** Finds the policy for calls to a host. Immutable. */
public final class DestinationPolicies {

    private final DestinationMatcher matcher;

    public DestinationPolicies(List<DestinationSettings> entries, DestinationPolicy defaultPolicy) {
        this.matcher = new DestinationMatcher(entries, defaultPolicy);
    }

    /**
     * Returns the policy for calls to the host.
     *
     * @param host in canonical spelling
     */
    public DestinationPolicy policyFor(String host) {
        return matcher.find(host).map(DestinationSettings::policy).orElse(matcher.defaultPolicy());
    }
}
