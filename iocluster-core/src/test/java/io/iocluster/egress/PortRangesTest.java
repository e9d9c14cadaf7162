package io.iocluster.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PortRangesTest {

    private static final PortRanges PORTS = PortRanges.parse(List.of("443", "20000-32000", "1-1", "65535"));

    @ParameterizedTest
    @CsvSource({
        "443,true",
        "442,false",
        "444,false",
        "19999,false",
        "20000,true",
        "25000,true",
        "32000,true",
        "32001,false",
        "1,true",
        "2,false",
        "65535,true",
        "0,false"
    })
    void containsThePortsOfEachRange(int port, boolean contained) {
        assertThat(PORTS.contains(port)).isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "65536", "-80", "80-", "80-79", "0-80", "80-65536", "80 - 81", "http", "1-2-3"})
    void rejectsWhatIsNeitherAPortNorARange(String text) {
        assertThatThrownBy(() -> PortRanges.validate(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be a port from 1 to 65535, or a range such as 20000-32000: " + text);
    }

    @Test
    void isEmptyWithoutPorts() {
        assertThat(PortRanges.parse(List.of()).isEmpty()).isTrue();
        assertThat(PORTS.isEmpty()).isFalse();
    }
}
