package io.iocluster.testkit.chaos;

/** The target of a call. Each is a separate destination; a failing one must not affect the healthy one. */
public enum TargetRole {
    HEALTHY,
    SLOW,
    HOSTILE,
    /** A port without a listener. */
    ABSENT
}
