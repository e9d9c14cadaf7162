package io.iocluster.destination.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DestinationMatcherTest {

    private final DestinationMatcher matcher = new DestinationMatcher(
            List.of(
                    entry("", "slow.partner.example"),
                    entry("partners", "partner.example", "*.partner.example"),
                    entry("late", "slow.partner.example", "2001:db8::1", "192.0.2.1")),
            DestinationPolicy.DEFAULTS);

    @ParameterizedTest
    @CsvSource({
        "slow.partner.example, slow.partner.example",
        "partner.example, partners",
        "a.b.partner.example, partners",
        "192.0.2.1, late",
        "2001:db8::1, late"
    })
    void findsTheFirstEntryThatMatchesTheHost(String host, String name) {
        assertThat(matcher.find(host)).map(DestinationSettings::name).contains(name);
    }

    @Test
    void findsNoEntryForOtherHosts() {
        assertThat(matcher.find("xpartner.example")).isEmpty();
        assertThat(matcher.defaultPolicy()).isEqualTo(DestinationPolicy.DEFAULTS);
    }

    private static DestinationSettings entry(String name, String... match) {
        return new DestinationSettings(List.of(match), name, DestinationPolicy.DEFAULTS);
    }
}
