package io.iocluster.egress;

/** What becomes of a call that the policy forbids. What cannot be sent safely is refused in every mode. */
public enum EgressMode {
    /** It is rejected. */
    ENFORCE,
    /** It is made, counted and logged: for finding out what a policy would stop before it does. */
    REPORT,
    /** It is made, and nobody asks: any address that this machine reaches can be called. */
    OPEN
}
