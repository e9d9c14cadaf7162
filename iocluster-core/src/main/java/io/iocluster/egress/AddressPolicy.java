package io.iocluster.egress;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Decides which addresses a call may connect to: public addresses, and those that the operator allows. An IPv6 address
 * that embeds an IPv4 address is checked as that IPv4 address. Immutable.
 */
final class AddressPolicy {

    private static final List<CidrBlock> NOT_PUBLIC = blocks(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "2001::/32",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20");

    private static final CidrBlock PUBLIC_IPV6 = CidrBlock.parse("2000::/3");

    /**
     * Cloud metadata services, which return the machine's credentials. Allowed only one by one, not as part of a
     * network.
     */
    private static final List<CidrBlock> METADATA = blocks(
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "100.100.100.200",
            "fd00:ec2::23",
            "fd00:ec2::254",
            "fd20:ce::254");

    private static final CidrBlock NAT64 = CidrBlock.parse("64:ff9b::/96");
    private static final CidrBlock IPV4_COMPATIBLE = CidrBlock.parse("::/96");
    /** "Unspecified" and loopback, which embed no IPv4 address (RFC 4291, section 2.5). */
    private static final CidrBlock IPV6_UNSPECIFIED_AND_LOOPBACK = CidrBlock.parse("::/127");

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final List<CidrBlock> allowed;
    private final List<CidrBlock> denied;

    /**
     * Creates a policy.
     *
     * @param allowed networks that are allowed although they are private
     * @param denied networks that are denied although they are public or allowed
     */
    AddressPolicy(List<CidrBlock> allowed, List<CidrBlock> denied) {
        this.allowed = List.copyOf(allowed);
        this.denied = List.copyOf(denied);
    }

    boolean allows(InetAddress address) {
        byte[] outer = address.getAddress();
        byte[] inner = embeddedIpv4(outer);
        byte[] effective = inner == null ? outer : inner;
        if (anyContains(denied, effective) || anyContains(denied, outer)) {
            return false;
        }
        if (anyContains(METADATA, effective)) {
            return allowed.stream().anyMatch(block -> block.isSingleAddress(effective));
        }
        return anyContains(allowed, effective) || isPublic(effective);
    }

    private static boolean isPublic(byte[] address) {
        return (address.length == 4 || PUBLIC_IPV6.contains(address)) && !anyContains(NOT_PUBLIC, address);
    }

    private static byte[] embeddedIpv4(byte[] address) {
        boolean embeds = NAT64.contains(address)
                || (IPV4_COMPATIBLE.contains(address) && !IPV6_UNSPECIFIED_AND_LOOPBACK.contains(address))
                || (address.length == 16 && Arrays.equals(address, 0, 12, MAPPED_PREFIX, 0, 12));
        return embeds ? Arrays.copyOfRange(address, 12, 16) : null;
    }

    private static boolean anyContains(List<CidrBlock> blocks, byte[] address) {
        for (CidrBlock block : blocks) {
            if (block.contains(address)) {
                return true;
            }
        }
        return false;
    }

    private static List<CidrBlock> blocks(String... texts) {
        return Stream.of(texts).map(CidrBlock::parse).toList();
    }
}
