package io.iocluster.destination;

/**
 * Identifies a destination. Immutable.
 *
 * @param name the configured name, {@code host:port}, or {@code other} for hosts beyond the limit of destinations
 * @param host the only host; null if there are several
 * @param configured whether the destination is an entry of {@code destinations}
 */
record DestinationIdentity(String name, String host, boolean configured) {}
