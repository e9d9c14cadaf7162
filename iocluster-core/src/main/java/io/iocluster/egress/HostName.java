package io.iocluster.egress;

import io.netty.util.NetUtil;
import java.net.IDN;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * Brings hosts into their one spelling, or refuses them. What other programs would read as an address in disguise
 * (2130706433, 127.1, 0x7f.0.0.1, full-width digits and dots) has no spelling here.
 */
final class HostName {

    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_LABEL = 63;

    private HostName() {}

    /**
     * The canonical spelling of a name or a dotted IPv4 address: lower case, in ASCII, without a trailing dot; null for what
     * is neither.
     */
    static String canonicalize(String raw) {
        String ascii = ascii(raw);
        if (ascii == null) {
            return null;
        }
        String host = ascii.endsWith(".") ? ascii.substring(0, ascii.length() - 1) : ascii;
        if (host.isEmpty() || host.length() > LONGEST_NAME || !labelsAreValid(host)) {
            return null;
        }
        // A host whose last label is a number is an IPv4 address or nothing, so that nobody downstream can read one
        // into it.
        if (lastLabelIsNumeric(host) && !isDottedQuad(host)) {
            return null;
        }
        return host.toLowerCase(Locale.ROOT);
    }

    /** The canonical spelling of what stood between brackets; an IPv4 address if it is a mapped one; null if it is no IPv6 address. */
    static String canonicalizeIpv6(String raw) {
        // A zone would name an interface of this machine; the text is judged before netty sees it, which would cut it
        // off.
        if (raw.indexOf('%') >= 0 || raw.indexOf('[') >= 0 || raw.indexOf(':') < 0) {
            return null;
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(raw);
        return bytes == null ? null : NetUtil.toAddressString(address(bytes));
    }

    /** The address that a canonical host spells, or null if it is a name. Never asks anyone. */
    static InetAddress parseAddress(String canonicalHost) {
        if (canonicalHost.indexOf(':') < 0 && !isDottedQuad(canonicalHost)) {
            return null;
        }
        return address(NetUtil.createByteArrayFromIpAddressString(canonicalHost));
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException("an address has 4 or 16 bytes, not " + bytes.length, impossible);
        }
    }

    private static String ascii(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            if (raw.charAt(i) >= 0x80) {
                return converted(raw);
            }
        }
        return raw;
    }

    /**
     * Converts label by label and accepts only what became {@code xn--…}: a letter that merely maps to an ASCII one, or to a
     * dot, is a second spelling of another host.
     */
    private static String converted(String raw) {
        StringBuilder host = new StringBuilder(raw.length() + 8);
        int from = 0;
        while (from <= raw.length()) {
            int dot = raw.indexOf('.', from);
            int to = dot < 0 ? raw.length() : dot;
            String label = raw.substring(from, to);
            String ascii = asciiLabel(label);
            if (ascii == null) {
                return null;
            }
            host.append(ascii);
            if (dot >= 0) {
                host.append('.');
            }
            from = to + 1;
        }
        return host.toString();
    }

    private static String asciiLabel(String label) {
        if (label.chars().allMatch(c -> c < 0x80)) {
            return label;
        }
        try {
            String ascii = IDN.toASCII(label, IDN.USE_STD3_ASCII_RULES);
            return ascii.startsWith("xn--") && ascii.indexOf('.') < 0 ? ascii : null;
        } catch (IllegalArgumentException noSuchLabel) {
            return null;
        }
    }

    private static boolean labelsAreValid(String host) {
        int start = 0;
        for (int i = 0; i <= host.length(); i++) {
            char c = i == host.length() ? '.' : host.charAt(i);
            if (c == '.') {
                if (i == start || i - start > LONGEST_LABEL || host.charAt(start) == '-' || host.charAt(i - 1) == '-') {
                    return false;
                }
                start = i + 1;
            } else if (!isLetterOrDigit(c) && c != '-') {
                return false;
            }
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    }

    private static boolean lastLabelIsNumeric(String host) {
        int start = host.lastIndexOf('.') + 1;
        boolean hex = host.regionMatches(true, start, "0x", 0, 2);
        for (int i = hex ? start + 2 : start; i < host.length(); i++) {
            if (Character.digit(host.charAt(i), hex ? 16 : 10) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Four decimal numbers up to 255 without leading zeros, which some read as octal. */
    private static boolean isDottedQuad(String host) {
        int numbers = 0;
        int value = -1;
        for (int i = 0; i <= host.length(); i++) {
            char c = i == host.length() ? '.' : host.charAt(i);
            if (c == '.') {
                if (value < 0) {
                    return false;
                }
                numbers++;
                value = -1;
            } else if (c < '0' || c > '9' || value == 0) {
                return false;
            } else {
                value = (value < 0 ? 0 : value * 10) + (c - '0');
                if (value > 255) {
                    return false;
                }
            }
        }
        return numbers == 4;
    }
}
