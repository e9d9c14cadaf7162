package io.iocluster.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamSettingsTest {

    private static UpstreamSettings addresses(String... addresses) {
        return RecordCopy.with(UpstreamSettings.DEFAULTS, "addresses", List.of(addresses));
    }

    @Test
    void parsesNamesAndAddresses() {
        assertThat(addresses("A.example:8080", "10.0.0.1:80", "[2001:DB8::1]:443")
                        .upstreams())
                .containsExactly(
                        new UpstreamAddress("a.example", 8080),
                        new UpstreamAddress("10.0.0.1", 80),
                        new UpstreamAddress("2001:db8::1", 443));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a.example",
                "a.example:",
                "a.example:0",
                "a.example:65536",
                "http://a.example:80",
                "a.example:80/path",
                "user@a.example:80",
                "a.example:80?x",
                "2001:db8::1:80",
                "127.1:80",
                "2130706433:80",
                "a b:80",
                "a.example:80@",
                "a.example:80@a b"
            })
    void rejectsWhatIsNotAHostAndAPort(String text) {
        assertThatThrownBy(() -> addresses("good.example:80", text))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("addresses[1]");
    }

    @Test
    void parsesAZone() {
        assertThat(addresses("10.0.0.1:80@eu-1a").upstreams())
                .containsExactly(new UpstreamAddress("10.0.0.1", 80, "eu-1a"));
    }

    @Test
    void rejectsAnUpstreamThatIsListedTwice() {
        assertThatThrownBy(() -> addresses("a.example:80@a", "A.example:80@b"))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("twice");
    }

    @Test
    void takesEitherANameOrAddresses() {
        UpstreamSettings settings = RecordCopy.with(UpstreamSettings.DEFAULTS, "dns", "replicas.example:8080");

        assertThat(settings.isEnabled()).isTrue();
        assertThat(settings.lookupName())
                .isEqualTo(new UpstreamName.Host(new UpstreamAddress("replicas.example", 8080)));
        assertThatThrownBy(() -> RecordCopy.with(settings, "addresses", List.of("a.example:80")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("dns");
        assertThatThrownBy(() -> RecordCopy.with(settings, "dns", "replicas.example"))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("dns");
    }

    @ParameterizedTest
    @ValueSource(strings = {"partner.example", "_https", "_https._tcp.", "_https._tcp.a b", "_https._tcp.a.example:80"})
    void rejectsWhatIsNotAService(String name) {
        assertThatThrownBy(() -> RecordCopy.with(UpstreamSettings.DEFAULTS, "srv", name))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("srv");
    }

    @Test
    void takesOneSourceOnly() {
        ConsulUpstreamSettings service = new ConsulUpstreamSettings("partner", "", "");
        UpstreamSettings srv = RecordCopy.with(UpstreamSettings.DEFAULTS, "srv", "_https._tcp.partner.example");

        assertThatThrownBy(() -> RecordCopy.with(srv, "dns", "a.example:80")).hasMessageContaining("srv");
        assertThatThrownBy(() -> RecordCopy.with(srv, "addresses", List.of("a.example:80")))
                .hasMessageContaining("srv");
        assertThatThrownBy(() -> RecordCopy.with(srv, "consul", service)).hasMessageContaining("consul.service");
        assertThat(srv.lookupName()).isEqualTo(new UpstreamName.Service("_https._tcp.partner.example"));
    }

    @ParameterizedTest
    @CsvSource({
        "url,ftp://partner.example/",
        "url,partner.example/health",
        "timeout,PT6S",
        "interval,PT0.05S",
        "interval,PT25H",
        "rise,0",
        "fall,0"
    })
    void rejectsAWrongHealthCheck(String component, String text) {
        Object value = component.equals("url")
                ? text
                : text.startsWith("PT") ? Duration.parse(text) : (Object) Integer.valueOf(text);

        assertThatThrownBy(() -> RecordCopy.with(HealthCheckSettings.DEFAULTS, component, value))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining(component);
    }

    @ParameterizedTest
    @CsvSource({"refresh,PT0.9S", "refresh,PT25H", "slowStart,PT-1S", "slowStart,PT25H"})
    void rejectsAWrongPeriod(String component, Duration period) {
        assertThatThrownBy(() -> RecordCopy.with(UpstreamSettings.DEFAULTS, component, period))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("must be from");
    }

    @ParameterizedTest
    @CsvSource({"interval,PT0S", "interval,PT25H", "maxTime,PT25H"})
    void rejectsAWrongEjection(String component, Duration period) {
        assertThatThrownBy(() -> RecordCopy.with(EjectionSettings.DEFAULTS, component, period))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("must be");
    }

    @ParameterizedTest
    @CsvSource({"1,100,0", "2,50,1", "3,50,1", "4,50,2", "10,10,1", "9,10,0", "5,100,4", "5,0,0", "0,50,0"})
    void ejectsAtMostAPartAndNeverAll(int upstreams, int maxPercent, int ejected) {
        EjectionSettings settings = RecordCopy.with(EjectionSettings.DEFAULTS, "maxPercent", maxPercent);

        assertThat(settings.maxEjected(upstreams)).isEqualTo(ejected);
    }

    @ParameterizedTest
    @CsvSource({"1,30", "2,60", "3,120", "4,240", "5,300", "1000,300"})
    void ejectionsBecomeLongerUpToALimit(int inARow, int seconds) {
        assertThat(Duration.ofNanos(EjectionSettings.DEFAULTS.ejectionNanos(inARow)))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void portsLimitWhatAServiceNames() {
        UpstreamSettings srv = RecordCopy.with(UpstreamSettings.DEFAULTS, "srv", "_https._tcp.partner.example");

        assertThat(RecordCopy.with(srv, "ports", List.of("8443", "9000-9010"))
                        .allowedPorts()
                        .contains(9005))
                .isTrue();
        assertThatThrownBy(() -> RecordCopy.with(srv, "ports", List.of("8443", "9010-9000")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("ports[1]");
    }
}
