package io.iocluster.credential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialHostsTest {

    @ParameterizedTest
    @CsvSource({
        "h.example, h.example, 443, true",
        "h.example, h.example, 8443, true",
        "h.example:443, h.example, 443, true",
        "h.example:443, h.example, 8443, false",
        "h.example:443, i.example, 443, false",
        "*.h.example:443, a.h.example, 443, true",
        "*.h.example:443, a.h.example, 80, false",
        "*.h.example:443, h.example, 443, false",
        "127.0.0.1:80, 127.0.0.1, 80, true",
        "[::1]:80, ::1, 80, true",
        "[::1]:80, ::1, 81, false",
        "[::1], ::1, 81, true",
        "::1, ::1, 81, true",
        "fe80::80, fe80::80, 443, true",
    })
    void matchesAHostAndItsPort(String pattern, String host, int port, boolean match) {
        assertThat(new CredentialHosts(List.of(pattern)).matches(host, port)).isEqualTo(match);
    }

    @Test
    void matchesIfOnePatternMatches() {
        CredentialHosts hosts = new CredentialHosts(List.of("a.example:443", "a.example:8443", "b.example"));

        assertThat(hosts.matches("a.example", 8443)).isTrue();
        assertThat(hosts.matches("a.example", 80)).isFalse();
        assertThat(hosts.matches("b.example", 80)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h:0", "h:65536", "h:", "h:a", "h:-1", "h:08", ":443", "[::1]:0", "h b:443", "*:443"})
    void rejectsAPatternThatCanMatchNothing(String pattern) {
        assertThatThrownBy(() -> CredentialHosts.validate(pattern)).isInstanceOf(IllegalArgumentException.class);
    }
}
