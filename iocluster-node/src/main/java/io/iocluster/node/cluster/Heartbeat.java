package io.iocluster.node.cluster;

import java.util.regex.Pattern;

/**
 * A small record that renews the lease of a node between its announcements. The components are the fields of the record on the broker.
 * Immutable. Anyone may have written the record.
 *
 * @param v version of the format
 * @param node the node's id
 * @param instance identifies the process: 16 hexadecimal digits, chosen at random when it starts
 * @param lease what the record says about the node's share; never null
 */
public record Heartbeat(int v, String node, String instance, Lease lease) {

    /** Announcements have version 1. */
    public static final int VERSION = 2;

    private static final Pattern NODE = Pattern.compile("[\\w.:-]{1,200}");
    private static final Pattern INSTANCE = Pattern.compile("[0-9a-f]{16}");

    public Heartbeat {
        requireIds(node, instance);
        if (lease == null) {
            throw new IllegalArgumentException("lease is not valid");
        }
    }

    public Heartbeat(String node, String instance, Lease lease) {
        this(VERSION, node, instance, lease);
    }

    /**
     * Checks the format of the ids.
     *
     * @throws IllegalArgumentException if one is not valid
     */
    public static void requireIds(String node, String instance) {
        if (node == null || !NODE.matcher(node).matches()) {
            throw new IllegalArgumentException("node is not valid");
        }
        if (instance == null || !INSTANCE.matcher(instance).matches()) {
            throw new IllegalArgumentException("instance is not valid");
        }
    }
}
