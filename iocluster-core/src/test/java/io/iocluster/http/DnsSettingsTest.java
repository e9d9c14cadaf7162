package io.iocluster.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.testkit.record.RecordCopy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DnsSettingsTest {

    @Test
    void acceptsServersWithAndWithoutAPort() {
        DnsSettings settings = servers("10.0.0.53", "10.0.0.53:5353", "fd00::53", "[fd00::53]:5353");

        assertThat(settings.serverAddresses())
                .containsExactly(
                        new InetSocketAddress("10.0.0.53", 53),
                        new InetSocketAddress("10.0.0.53", 5353),
                        new InetSocketAddress("fd00::53", 53),
                        new InetSocketAddress("fd00::53", 5353));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "dns.example", "dns.example:53", "10.0.0.53:", "10.0.0.53:0", "10.0.0.53:65536", "1.1:53"})
    void rejectsAServerThatIsNotAnAddress(String server) {
        assertThatThrownBy(() -> servers(server))
                .hasMessage("servers[0] must be an address or address:port: " + server);
    }

    @Test
    void reportsEveryInvalidKey() {
        assertThatThrownBy(() -> new DnsSettings(
                        List.of(),
                        Duration.ZERO,
                        -1,
                        0,
                        Duration.ofSeconds(2),
                        Duration.ofMillis(1_500),
                        Duration.ofDays(8)))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("query-timeout must be positive: 0s")
                .hasMessageContaining("cache-size must be from 0 to 10000000: -1")
                .hasMessageContaining("max-addresses must be from 1 to 1000: 0")
                .hasMessageContaining("min-ttl must not be above max-ttl")
                .hasMessageContaining("max-ttl must be whole seconds")
                .hasMessageContaining("negative-ttl must be at most 7d");
    }

    private static DnsSettings servers(String... servers) {
        return RecordCopy.with(DnsSettings.DEFAULTS, "servers", List.of(servers));
    }
}
