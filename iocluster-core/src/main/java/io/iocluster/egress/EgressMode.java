package io.iocluster.egress;

/** How a call is treated that the policy forbids. A call that cannot be sent safely is rejected in every mode. */
public enum EgressMode {
    /** Rejects the call. */
    ENFORCE,
    /** Makes, counts and logs the call, so that an operator can see what a policy would reject. */
    REPORT,
    /** Makes the call without a check: any address that this machine reaches can be called. */
    OPEN
}
