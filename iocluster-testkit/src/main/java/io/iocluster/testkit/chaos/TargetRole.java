package io.iocluster.testkit.chaos;

/** Which target a call goes to. Each is a destination of its own, so that a sick one must not harm the healthy one. */
public enum TargetRole {
    HEALTHY,
    SLOW,
    HOSTILE,
    /** Nothing listens there. */
    ABSENT
}
