package io.iocluster.http.dns;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Orders addresses by family. Stateless. */
public final class AddressFamilies {

    private AddressFamilies() {}

    /**
     * Returns the entries so that IPv4 and IPv6 alternate while there are both (RFC 8305, section 4). Keeps the order within a family.
     *
     * @param address returns the address of an entry
     * @param first accepts the addresses of the family to begin with
     */
    public static <T> List<T> alternate(
            Collection<T> entries, Function<T, InetAddress> address, Predicate<InetAddress> first) {
        Iterator<T> ofFirstFamily =
                entries.stream().filter(each -> first.test(address.apply(each))).iterator();
        Iterator<T> ofOtherFamily = entries.stream()
                .filter(each -> !first.test(address.apply(each)))
                .iterator();
        List<T> alternating = new ArrayList<>(entries.size());
        while (ofFirstFamily.hasNext() || ofOtherFamily.hasNext()) {
            if (ofFirstFamily.hasNext()) {
                alternating.add(ofFirstFamily.next());
            }
            if (ofOtherFamily.hasNext()) {
                alternating.add(ofOtherFamily.next());
            }
        }
        return alternating;
    }
}
