package io.iocluster.destination.policy;

/** What a limit of a destination applies to. */
public enum LimitScope {
    /** Each node has the whole limit. */
    NODE,
    /** The live nodes divide the limit. */
    CLUSTER
}
