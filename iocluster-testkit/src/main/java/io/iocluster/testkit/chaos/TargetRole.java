package io.iocluster.testkit.chaos;

/** The target of a call. Each is a separate destination, so that a failing one must not harm the healthy one. */
public enum TargetRole {
    HEALTHY,
    SLOW,
    HOSTILE,
    /** Nothing listens there. */
    ABSENT
}
