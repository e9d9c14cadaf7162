package io.iocluster.egress;

/** What the node does with a call that the policy forbids. Every mode rejects a call that cannot be sent safely. */
public enum EgressMode {
    /** Rejects the call. */
    ENFORCE,
    /** Makes, counts and logs the call, so that an operator can see what a policy would reject. */
    REPORT,
    /** Makes the call without a check: any address that this machine reaches can be called. */
    OPEN
}
