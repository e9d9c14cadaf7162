package io.iocluster.node.cluster;

/** How many nodes share the requests now, for features that divide something among them. Thread-safe; never blocks. */
public interface LiveNodes {

    /** Returns the number of live nodes, this one included; at least 1. During an outage of the broker it is the last known one. */
    int count();

    /** Returns whether the count is up to date; false if announcements are disabled or do not arrive. */
    boolean isCurrent();
}
