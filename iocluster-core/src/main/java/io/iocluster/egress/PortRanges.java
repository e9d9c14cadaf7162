package io.iocluster.egress;

import java.util.List;

/** Ports, each written as {@code 8443} or as a range {@code 20000-32000}. Immutable. */
public final class PortRanges {

    private static final int MAX_PORT = 65_535;

    private final List<PortRange> ranges;

    /** Ports from the first to the last one, both included. */
    private record PortRange(int first, int last) {

        static PortRange parse(String text) {
            if (text.matches("[0-9]{1,5}(-[0-9]{1,5})?")) {
                int dash = text.indexOf('-');
                int first = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
                int last = Integer.parseInt(text.substring(dash + 1));
                if (first >= 1 && first <= last && last <= MAX_PORT) {
                    return new PortRange(first, last);
                }
            }
            throw new IllegalArgumentException(
                    "must be a port from 1 to 65535, or a range such as 20000-32000: " + text);
        }

        boolean contains(int port) {
            return port >= first && port <= last;
        }
    }

    private PortRanges(List<PortRange> ranges) {
        this.ranges = ranges;
    }

    /**
     * Parses ports and ranges.
     *
     * @throws IllegalArgumentException if one of them is neither
     */
    public static PortRanges parse(List<String> texts) {
        return new PortRanges(texts.stream().map(PortRange::parse).toList());
    }

    /**
     * Checks one port or range.
     *
     * @throws IllegalArgumentException if it is neither; the message follows the key
     */
    public static void validate(String text) {
        PortRange.parse(text);
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    public boolean contains(int port) {
        return ranges.stream().anyMatch(each -> each.contains(port));
    }
}
