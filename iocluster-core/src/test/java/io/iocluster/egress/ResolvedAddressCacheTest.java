package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResolvedAddressCacheTest {

    private final CurrentEgressPolicy egress =
            new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE);

    @Test
    void keepsAnAddressAsLongAsTheHostHasIt() {
        lookUp("a.example", "1.1.1.1", "1.1.1.2");
        assertThat(address("a.example")).isEqualTo("1.1.1.1");

        lookUp("a.example", "1.1.1.2", "1.1.1.1");
        assertThat(address("a.example")).isEqualTo("1.1.1.1");

        lookUp("a.example", "1.1.1.3");
        assertThat(address("a.example")).isEqualTo("1.1.1.3");
    }

    @Test
    void storesNoAddressOfAForbiddenHost() {
        lookUp("inside.example", "127.0.0.1");

        assertThat(address("inside.example")).isNull();
    }

    @Test
    void keepsAddressesWhenThePolicyIsReplaced() {
        lookUp("a.example", "1.1.1.1");

        egress.replace(EgressSettings.DEFAULTS);

        assertThat(address("a.example")).isEqualTo("1.1.1.1");
    }

    private String address(String host) {
        return egress.resolvedAddresses().get(host);
    }

    private void lookUp(String host, String... addresses) {
        List<InetSocketAddress> found = Stream.of(addresses)
                .map(each -> new InetSocketAddress(each, 443))
                .toList();
        assertThat(found).noneMatch(InetSocketAddress::isUnresolved);
        egress.get().allows(host, found);
    }
}
