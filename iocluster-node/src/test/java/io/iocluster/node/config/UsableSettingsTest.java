package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.settings.DataSize;
import io.iocluster.usable.UsableSettings;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the settings of usable answers. */
class UsableSettingsTest {

    @Test
    void noRuleAppliesByDefault() {
        NodeSettings settings = SettingsLoading.node("destinations: [{match: a.example}]");

        assertThat(settings.destinationDefaults().usable()).isEqualTo(UsableSettings.DEFAULTS);
        assertThat(settings.destinations().get(0).policy().usable().ruleFor(null))
                .isNull();
        assertThat(settings.retry().unusableAnswers()).isFalse();
        assertThat(settings.destinationDefaults().breaker().unusableAnswers()).isFalse();
    }

    @Test
    void readsTheTypeOfEachValue() {
        UsableRule rule = only("""
                destinations:
                  - match: a.example
                    usable:
                      status: [200, 3xx]
                      json: {pointer: /a~1b/0, equals: '"42"', exists: true, in: [42, done, true], less: 1e3, greater: -0.5}
                """).usable().rule();

        assertThat(rule)
                .hasToString("status [200, 3xx], /a~1b/0 equals \"42\" exists in [42, done, true] less than 1E+3"
                        + " greater than -0.5");
    }

    @Test
    void anEntryInheritsTheRuleOfTheDefaultsAndMayRemoveIt() {
        NodeSettings settings = SettingsLoading.node("""
                destination-defaults: {usable: {json: {pointer: /match, equals: true}, max-bytes: 8KiB}}
                destinations:
                  - {match: a.example}
                  - {match: b.example, usable: {status: [204]}}
                  - {match: c.example, usable: {json: {pointer: "", equals: ""}}}
                """);

        assertThat(settings.destinations())
                .extracting(each -> each.policy().usable().rule().toString())
                .containsExactly(
                        "status [2xx], /match equals true", "status [204], /match equals true", "status [2xx]");
        assertThat(settings.destinations().get(2).policy().usable().ruleFor(null))
                .isNull();
        assertThat(settings.destinations().get(1).policy().usable().maxBytes()).isEqualTo(new DataSize(8 * 1024));
    }

    @Test
    void theEffectiveSettingsLoadAsTheSameRule() {
        var loaded = SettingsLoading.load(NodeSettings.class, """
                destinations: [{match: a.example, usable: {json: {pointer: /v, equals: '"true"', in: ['"7"', 7, x]}}}]
                """, Map.of());

        String yaml = new EffectiveSettings(loaded).changedYaml();

        assertThat(SettingsLoading.node(yaml).destinations())
                .isEqualTo(loaded.settings().destinations());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "json: {pointer: match, exists: true}; 'json.pointer must be a JSON Pointer, which is empty or starts with /: match'",
                "json: {pointer: /a}; 'json.pointer needs at least one of equals, exists, in, less, greater'",
                "json: {exists: maybe}; 'json.exists must be one of any, true, false: maybe'",
                "json: {less: seven}; 'json.less must be a number: seven'",
                "json: {in: [\"\"]}; 'json.in[0] must not be empty'",
                "status: [ok]; 'status[0] is not an HTTP status such as 404, or a class such as 5xx: ok'",
                "max-bytes: 1B; 'max-bytes must be from 1KiB to 256MiB: 1B'",
            })
    void rejectsWhatIsNoRule(String usable, String problem) {
        assertThat(SettingsLoading.errors("destination-defaults: {usable: {" + usable + "}}"))
                .contains("destination-defaults.usable." + problem);
    }

    @Test
    void rejectsAListOfAHundredThousandValues() {
        String values = String.join(", ", Collections.nCopies(100_000, "x"));

        assertThat(SettingsLoading.errors("destination-defaults: {usable: {json: {in: [" + values + "]}}}"))
                .contains("destination-defaults.usable.json.in must have at most 100 values: 100000");
    }

    private static DestinationPolicy only(String yaml) {
        return SettingsLoading.node(yaml).destinations().get(0).policy();
    }
}
