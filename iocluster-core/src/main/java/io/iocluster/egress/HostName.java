package io.iocluster.egress;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;

/**
 * Converts hosts to their canonical form. Rejects texts that other programs read as an address in disguise (2130706433,
 * 127.1, 0x7f.0.0.1, full-width digits and dots).
 */
final class HostName {

    static final int MAX_NAME_LENGTH = 253;
    static final int MAX_LABEL_LENGTH = 63;
    /** Longest text before its conversion. {@link InternationalName} limits its labels too. */
    private static final int MAX_TEXT_LENGTH = 3 * MAX_NAME_LENGTH;

    private HostName() {}

    /**
     * Returns the canonical form of a name or a dotted IPv4 address: ASCII, lower case, without a trailing dot. Returns
     * null if the text is neither.
     */
    static String canonicalize(String raw) {
        if (raw.length() > MAX_TEXT_LENGTH) {
            return null;
        }
        String name = raw.endsWith(".") ? raw.substring(0, raw.length() - 1) : raw;
        String host = InternationalName.isInternational(name) ? InternationalName.toAscii(name) : name;
        if (host == null || host.isEmpty() || host.length() > MAX_NAME_LENGTH || !labelsAreValid(host)) {
            return null;
        }
        // A host whose last label is a number must be an IPv4 address, so that no other program can read a different
        // address into it.
        if (lastLabelIsNumeric(host) && !isDottedQuad(host)) {
            return null;
        }
        return host.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the canonical form of an IPv6 address without brackets, or of the IPv4 address that it maps. Returns null
     * if the text is not an IPv6 address.
     */
    static String canonicalizeIpv6(String raw) {
        // A zone names an interface of this machine. It is rejected here because Netty would silently drop it.
        if (raw.indexOf('%') >= 0 || raw.indexOf('[') >= 0 || raw.indexOf(':') < 0) {
            return null;
        }
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(raw);
        return bytes == null ? null : NetUtil.toAddressString(address(bytes));
    }

    /** Returns the address that a canonical host spells, or null if it is a name. Makes no lookup. */
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

    private static boolean labelsAreValid(String host) {
        int start = 0;
        for (int i = 0; i <= host.length(); i++) {
            char c = i == host.length() ? '.' : host.charAt(i);
            if (c == '.') {
                if (i == start
                        || i - start > MAX_LABEL_LENGTH
                        || host.charAt(start) == '-'
                        || host.charAt(i - 1) == '-') {
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

    /**
     * Accepts four decimal numbers up to 255. Rejects leading zeros, because some programs read such numbers as octal.
     */
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
