package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import java.util.List;
import org.junit.jupiter.api.Test;

class EgressSettingsTest {

    @Test
    void takesWhatCanBeMeant() {
        assertThatCode(() -> new EgressSettings(
                        List.of("https"),
                        List.of(443, 8443),
                        List.of("10.0.0.0/8", "fd12::/16", "169.254.169.254"),
                        List.of("evil.example", "*.evil.example", "[2606:4700::1]", "1.1.1.1"),
                        List.of("*.partner.example")))
                .doesNotThrowAnyException();
    }

    @Test
    void namesEveryMistakeByItsKey() {
        assertThatThrownBy(() -> new EgressSettings(
                        List.of("ftp"),
                        List.of(0, 65_536),
                        List.of("10.0.0.1/8"),
                        List.of("*", "evil example"),
                        List.of("*.127.0.0.1")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("schemes knows https and http only: ftp")
                .hasMessageContaining("ports must be from 1 to 65535: 0")
                .hasMessageContaining("ports must be from 1 to 65535: 65536")
                .hasMessageContaining("allow-networks has bits set beyond its first 8: 10.0.0.1/8")
                .hasMessageContaining("deny-hosts not a host such as partner.example or *.partner.example: *;")
                .hasMessageContaining(
                        "deny-hosts not a host such as partner.example or *.partner.example: evil example")
                .hasMessageContaining(
                        "allow-hosts not a host such as partner.example or *.partner.example: *.127.0.0.1");
    }

    @Test
    void wantsAScheme() {
        assertThatThrownBy(() -> new EgressSettings(List.of(), List.of(), List.of(), List.of(), List.of()))
                .hasMessageContaining("schemes must not be empty");
    }
}
