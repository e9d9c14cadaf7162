package io.iocluster.egress;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Caches one address of each resolved host, and keeps it while the host still has it. Bounded; thread-safe. */
public final class ResolvedAddressCache {

    private static final int MAX_HOSTS = 20_000;

    private final ConcurrentHashMap<String, String> addresses = new ConcurrentHashMap<>();

    /** Returns an address of the host, or null if none is known. */
    public String get(String host) {
        return addresses.get(host);
    }

    /** Stores one of these addresses. Clears everything when the bound is reached. */
    void put(String host, List<InetSocketAddress> found) {
        String known = addresses.get(host);
        String first = null;
        for (InetSocketAddress each : found) {
            InetAddress address = each.getAddress();
            String text = address == null ? null : address.getHostAddress();
            if (text != null && text.equals(known)) {
                return;
            }
            first = first == null ? text : first;
        }
        if (first == null) {
            return;
        }
        if (known == null && addresses.size() >= MAX_HOSTS) {
            addresses.clear();
        }
        addresses.put(host, first);
    }
}
