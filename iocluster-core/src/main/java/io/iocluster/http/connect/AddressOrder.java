package io.iocluster.http.connect;

import io.iocluster.http.dns.AddressFamilies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides in which order the addresses of a host are tried. Confined to one event loop.
 *
 * <ul>
 *   <li>Addresses that failed recently are last.
 *   <li>Families alternate (RFC 8305 section 4), beginning with the family of the first address of the list.
 *   <li>Within a family, the least recently dialled address is first, so that connections spread over all addresses.
 *       Addresses that were never dialled are in random order, because the other event loops and nodes have the same
 *       list.
 * </ul>
 */
final class AddressOrder {

    /** Maximum entries. Only the spread of connections depends on them, so more are not worth their memory. */
    private static final int MAX_DIALLED = 10_000;

    private final FailedAddresses failed;
    /** Value: a number that grows with each dialled address. The least recently dialled address first. */
    private final Map<InetSocketAddress, Long> dialled = new LinkedHashMap<>();

    private long lastDialled;

    AddressOrder(FailedAddresses failed) {
        this.failed = failed;
    }

    List<InetSocketAddress> sort(List<InetSocketAddress> addresses, long nowNanos) {
        List<InetSocketAddress> healthy = new ArrayList<>();
        List<InetSocketAddress> suspect = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            (failed.contains(address, nowNanos) ? suspect : healthy).add(address);
        }
        List<InetSocketAddress> sorted = new ArrayList<>(addresses.size());
        Class<? extends InetAddress> firstFamily = family(addresses.get(0));
        interleave(healthy, firstFamily, sorted);
        interleave(suspect, firstFamily, sorted);
        return sorted;
    }

    private void interleave(
            List<InetSocketAddress> addresses,
            Class<? extends InetAddress> firstFamily,
            List<InetSocketAddress> sorted) {
        List<InetSocketAddress> rotated = new ArrayList<>(addresses);
        Collections.shuffle(rotated);
        rotated.sort(Comparator.comparingLong(address -> dialled.getOrDefault(address, 0L)));
        sorted.addAll(AddressFamilies.alternate(
                rotated, InetSocketAddress::getAddress, address -> address.getClass() == firstFamily));
    }

    private static Class<? extends InetAddress> family(InetSocketAddress address) {
        return address.getAddress().getClass();
    }

    /** Records a dial, so that the address comes after all others of its family. */
    void markDialled(InetSocketAddress address) {
        dialled.remove(address); // put() alone would not move the entry to the end.
        dialled.put(address, ++lastDialled);
        if (dialled.size() > MAX_DIALLED) {
            Iterator<InetSocketAddress> oldest = dialled.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }
}
