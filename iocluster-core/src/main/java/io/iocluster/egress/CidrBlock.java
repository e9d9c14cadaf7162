package io.iocluster.egress;

import io.netty.util.NetUtil;
import java.util.Arrays;

/** A network such as {@code 10.20.0.0/16} or {@code fd12::/16}, or a single address. Immutable. */
public final class CidrBlock {

    private final byte[] network;
    private final int bits;

    private CidrBlock(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /**
     * Parses a network.
     *
     * @throws IllegalArgumentException if the text is not a network or has bits set after the prefix; the message
     *     follows the key
     */
    public static CidrBlock parse(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        boolean ipv6 = host.indexOf(':') >= 0;
        String canonical = ipv6 ? HostName.canonicalizeIpv6(host) : HostName.canonicalize(host);
        byte[] bytes = canonical == null ? null : NetUtil.createByteArrayFromIpAddressString(canonical);
        if (bytes == null) {
            throw new IllegalArgumentException("is not a network such as 10.20.0.0/16: " + text);
        }
        if (ipv6 && bytes.length == 4) {
            throw new IllegalArgumentException("is an IPv4 network written as an IPv6 one: " + text);
        }
        int bits = slash < 0 ? bytes.length * 8 : prefixLength(text, slash + 1, bytes.length * 8);
        CidrBlock block = new CidrBlock(bytes, bits);
        for (int i = bits; i < bytes.length * 8; i++) {
            if ((bytes[i / 8] & (0x80 >> (i % 8))) != 0) {
                throw new IllegalArgumentException("has bits set after its first " + bits + ": " + text);
            }
        }
        return block;
    }

    private static int prefixLength(String text, int from, int maxLength) {
        int digits = text.length() - from;
        if (digits >= 1 && digits <= 3 && text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9')) {
            int length = Integer.parseInt(text.substring(from));
            if (length <= maxLength) {
                return length;
            }
        }
        throw new IllegalArgumentException("has no prefix length from 0 to " + maxLength + ": " + text);
    }

    /**
     * Returns whether the address, in network byte order, is in this network. An IPv6 network contains no IPv4 address.
     */
    public boolean contains(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        int whole = bits / 8;
        if (!Arrays.equals(address, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = bits % 8;
        return rest == 0 || ((address[whole] ^ network[whole]) & (0xff00 >> rest) & 0xff) == 0;
    }

    /** Returns whether the block is exactly this one address. */
    public boolean isSingleAddress(byte[] address) {
        return bits == network.length * 8 && Arrays.equals(address, network);
    }
}
