package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.testkit.record.RecordCopy;
import java.util.List;
import org.junit.jupiter.api.Test;

class EgressSettingsTest {

    @Test
    void acceptsValidSettings() {
        assertThatCode(() -> new EgressSettings(
                        EgressMode.REPORT,
                        List.of("https"),
                        List.of(443, 8443),
                        List.of("10.0.0.0/8", "fd12::/16", "169.254.169.254"),
                        List.of("10.1.0.0/16", "168.63.129.16"),
                        List.of("evil.example", "*.evil.example", "[2606:4700::1]", "1.1.1.1"),
                        List.of("*.partner.example"),
                        new DataSize(256),
                        1,
                        new DataSize(64 * 1024)))
                .doesNotThrowAnyException();
    }

    @Test
    void reportsEveryInvalidKey() {
        assertThatThrownBy(() -> new EgressSettings(
                        EgressMode.ENFORCE,
                        List.of("http", "ftp"),
                        List.of(0, 65_536),
                        List.of("10.0.0.1/8"),
                        List.of("10.0.0.0/33"),
                        List.of("*", "evil example"),
                        List.of("*.127.0.0.1"),
                        new DataSize(255),
                        0,
                        new DataSize(64 * 1024 + 1)))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("schemes[1] must be one of https, http: ftp")
                .hasMessageContaining("ports[0] must be from 1 to 65535: 0")
                .hasMessageContaining("ports[1] must be from 1 to 65535: 65536")
                .hasMessageContaining("allow-networks[0] has bits set after its first 8: 10.0.0.1/8")
                .hasMessageContaining("deny-networks[0] has no prefix length from 0 to 32: 10.0.0.0/33")
                .hasMessageContaining("deny-hosts[0] is not a host such as partner.example or *.partner.example: *;")
                .hasMessageContaining(
                        "deny-hosts[1] is not a host such as partner.example or *.partner.example: evil example")
                .hasMessageContaining(
                        "allow-hosts[0] is not a host such as partner.example or *.partner.example: *.127.0.0.1")
                .hasMessageContaining("max-url must be from 256B to 64KiB: 255B")
                .hasMessageContaining("max-headers must be from 1 to 1000: 0")
                .hasMessageContaining("max-header-bytes must be from 256B to 64KiB: 65537B");
    }

    @Test
    void requiresAScheme() {
        EgressSettings defaults = EgressSettings.DEFAULTS;
        assertThatThrownBy(() -> RecordCopy.with(
                        defaults,
                        "schemes",
                        List.of(),
                        "allowNetworks",
                        List.of(),
                        "denyNetworks",
                        List.of(),
                        "denyHosts",
                        List.of(),
                        "allowHosts",
                        List.of()))
                .hasMessageContaining("schemes must not be empty");
    }
}
