package io.iocluster.egress;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Matches hosts by name. {@code partner.example} matches that host; {@code *.partner.example} matches every subdomain
 * at any depth but not the domain itself. Immutable.
 */
public final class HostPatterns {

    private final Set<String> hosts = new HashSet<>();
    private final Set<String> parents = new HashSet<>();

    /**
     * Parses patterns.
     *
     * @throws IllegalArgumentException if one of them can match no host
     */
    public HostPatterns(List<String> patterns) {
        for (String pattern : patterns) {
            boolean below = pattern.startsWith("*.");
            String host = canonical(below ? pattern.substring(2) : pattern);
            if (host == null || (below && HostName.parseAddress(host) != null)) {
                throw new IllegalArgumentException(
                        "is not a host such as partner.example or *.partner.example: " + pattern);
            }
            (below ? parents : hosts).add(host);
        }
    }

    /**
     * Checks one pattern.
     *
     * @throws IllegalArgumentException if it can match no host; the message follows the key
     */
    public static void validate(String pattern) {
        new HostPatterns(List.of(pattern));
    }

    private static String canonical(String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            return HostName.canonicalizeIpv6(host.substring(1, host.length() - 1));
        }
        return host.indexOf(':') >= 0 ? HostName.canonicalizeIpv6(host) : HostName.canonicalize(host);
    }

    public boolean isEmpty() {
        return hosts.isEmpty() && parents.isEmpty();
    }

    /** Returns whether a pattern matches this host, which must be in canonical form. */
    public boolean matches(String host) {
        if (hosts.contains(host)) {
            return true;
        }
        if (!parents.isEmpty()) {
            for (int dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
                if (parents.contains(host.substring(dot + 1))) {
                    return true;
                }
            }
        }
        return false;
    }
}
