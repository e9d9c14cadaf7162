package io.iocluster.credential;

import io.iocluster.egress.HostPatterns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Matches the hosts that may receive a credential: {@link HostPatterns}, each for one port or for every port.
 * Immutable.
 */
final class CredentialHosts {

    /** Does not match a bare IPv6 address, which has more than one colon and no port. */
    private static final Pattern WITH_PORT = Pattern.compile("(?<host>[^:]+|\\[.*])?:(?<port>[^:\\]]*)");

    private static final int MAX_PORT = 65_535;

    private final HostPatterns onEveryPort;
    private final Map<Integer, HostPatterns> byPort = new HashMap<>();

    /**
     * Parses patterns.
     *
     * @throws IllegalArgumentException if one of them can match nothing; the message follows the key
     */
    CredentialHosts(List<String> patterns) {
        List<String> withoutPort = new ArrayList<>();
        Map<Integer, List<String>> withPort = new HashMap<>();
        for (String pattern : patterns) {
            Matcher matcher = WITH_PORT.matcher(pattern);
            if (matcher.matches() && matcher.group("host") != null) {
                withPort.computeIfAbsent(port(pattern, matcher.group("port")), port -> new ArrayList<>())
                        .add(matcher.group("host"));
            } else {
                withoutPort.add(pattern);
            }
        }
        this.onEveryPort = new HostPatterns(withoutPort);
        withPort.forEach((port, hosts) -> byPort.put(port, new HostPatterns(hosts)));
    }

    /**
     * Checks one pattern.
     *
     * @throws IllegalArgumentException if it can match nothing; the message follows the key
     */
    static void validate(String pattern) {
        new CredentialHosts(List.of(pattern));
    }

    private static int port(String pattern, String digits) {
        int port = digits.matches("[1-9]\\d{0,4}") ? Integer.parseInt(digits) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("has a port that is not from 1 to " + MAX_PORT + ": " + pattern);
        }
        return port;
    }

    /** Returns whether a pattern matches this host, in canonical form, at this port. */
    boolean matches(String host, int port) {
        HostPatterns here = byPort.get(port);
        return onEveryPort.matches(host) || (here != null && here.matches(host));
    }
}
