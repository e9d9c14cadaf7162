package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPolicyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "128.0.0.0",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "192.0.3.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700::1",
                "2001:1::1",
                "3ffe::1",
                "::ffff:1.1.1.1",
                "64:ff9b::1.1.1.1"
            })
    void allowsPublicAddressesNextToPrivateNetworks(String address) throws UnknownHostException {
        assertThat(allowing().allows(address(address))).isTrue();
    }

    @Test
    void allowsAConfiguredNetwork() throws UnknownHostException {
        AddressPolicy policy = allowing("10.20.0.0/16", "fd12::/16");
        assertThat(policy.allows(address("10.20.255.255"))).isTrue();
        assertThat(policy.allows(address("::ffff:10.20.0.1"))).isTrue();
        assertThat(policy.allows(address("64:ff9b::10.20.0.1"))).isTrue();
        assertThat(policy.allows(address("fd12:1::1"))).isTrue();
        assertThat(policy.allows(address("10.21.0.0"))).isFalse();
        assertThat(policy.allows(address("fd13::1"))).isFalse();
    }

    @Test
    void allowsMetadataAddressesOnlyIfEachIsConfigured() throws UnknownHostException {
        AddressPolicy wholeNetworks = allowing("169.254.0.0/16", "100.64.0.0/10", "fd00::/8", "0.0.0.0/0", "::/0");
        for (String metadata : new String[] {
            "169.254.169.254",
            "169.254.170.2",
            "169.254.170.23",
            "100.100.100.200",
            "fd00:ec2::23",
            "fd00:ec2::254",
            "fd20:ce::254",
            "::ffff:169.254.169.254",
            "::ffff:169.254.170.2",
            "64:ff9b::169.254.169.254"
        }) {
            assertThat(wholeNetworks.allows(address(metadata))).as(metadata).isFalse();
        }
        assertThat(wholeNetworks.allows(address("169.254.169.253"))).isTrue();
        assertThat(allowing("169.254.169.254/32").allows(address("169.254.169.254")))
                .isTrue();
        assertThat(allowing("fd00:ec2::254/128").allows(address("fd00:ec2::254")))
                .isTrue();
        assertThat(allowing("169.254.169.254").allows(address("169.254.169.254")))
                .isTrue();
    }

    @Test
    void allowsTheLoopbackOfEachFamilyIfConfigured() throws UnknownHostException {
        assertThat(allowing("127.0.0.0/8").allows(address("127.0.0.1"))).isTrue();
        assertThat(allowing("127.0.0.0/8").allows(address("::1"))).isFalse();
        assertThat(allowing("::1/128").allows(address("::1"))).isTrue();
    }

    @Test
    void checksAnEmbeddedIpv4AddressAsIpv4() throws UnknownHostException {
        AddressPolicy everyIpv6 = allowing("::/0");
        assertThat(everyIpv6.allows(address("::1"))).isTrue();
        assertThat(everyIpv6.allows(address("fd00::1"))).isTrue();
        assertThat(everyIpv6.allows(address("::127.0.0.1"))).isFalse();
        assertThat(everyIpv6.allows(address("64:ff9b::7f00:1"))).isFalse();
        assertThat(allowing("64:ff9b::/96").allows(address("64:ff9b::10.0.0.1")))
                .isFalse();
    }

    @Test
    void deniesAConfiguredNetworkEvenIfItIsAllowed() throws UnknownHostException {
        AddressPolicy policy = new AddressPolicy(
                blocks("10.0.0.0/8", "169.254.169.254"),
                blocks("10.1.0.0/16", "8.8.8.0/24", "2606:4700::/32", "169.254.0.0/16", "64:ff9b::/96"));
        assertThat(policy.allows(address("10.0.255.255"))).isTrue();
        assertThat(policy.allows(address("10.1.0.0"))).isFalse();
        assertThat(policy.allows(address("8.8.8.8"))).isFalse();
        assertThat(policy.allows(address("8.8.9.8"))).isTrue();
        assertThat(policy.allows(address("::ffff:8.8.8.8"))).isFalse();
        assertThat(policy.allows(address("2606:4700::1"))).isFalse();
        assertThat(policy.allows(address("169.254.169.254"))).isFalse();
        assertThat(policy.allows(address("64:ff9b::1.1.1.1"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0.0/8/8",
                "10.0.0.0/ 8",
                "10.0.0.1/8",
                "10.1/16",
                "010.0.0.0/8",
                "h.example",
                "h.example/8",
                "fd00::/129",
                "fd00::1/64",
                "::ffff:10.0.0.0/104",
                "fe80::1%eth0",
                "10.0.0.0/0x8"
            })
    void rejectsATextThatIsNotANetwork(String text) {
        assertThatThrownBy(() -> CidrBlock.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static AddressPolicy allowing(String... networks) {
        return new AddressPolicy(blocks(networks), List.of());
    }

    private static List<CidrBlock> blocks(String... networks) {
        return Stream.of(networks).map(CidrBlock::parse).toList();
    }

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getByName(literal);
    }
}
