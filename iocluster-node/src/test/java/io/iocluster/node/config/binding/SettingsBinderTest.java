package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.binding.SampleSettings.GroupedSection;
import io.iocluster.node.config.binding.SampleSettings.InheritingSection;
import io.iocluster.node.config.binding.SampleSettings.InnerSection;
import io.iocluster.node.config.binding.SampleSettings.SampleChoice;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsBinderTest {

    private static final SampleSettings DEFAULTS = new SampleSettings(
            "some",
            5,
            6,
            0.5,
            true,
            Duration.ofSeconds(3),
            DataSize.ofMebibytes(1),
            List.of(new ConnectionUri("amqp", "", "", "h", -1, "")),
            SampleChoice.BY_KEY,
            List.of("a", "b"),
            List.of(1),
            Map.of(),
            new InnerSection(1, 2, ""),
            List.of());

    @ParameterizedTest
    @ValueSource(strings = {"", "# nothing", "{}", "inner:", "inner: {}", "text: null\nnames:"})
    void usesTheDefaultOfAnUnsetKey(String yaml) {
        assertThat(load(yaml)).isEqualTo(DEFAULTS);
    }

    @Test
    void bindsEveryType() {
        String yaml = """
                text: other
                count: -7
                large-count: 8000000000
                part: 0.25
                flag: false
                delay: 250ms
                size: 64KiB
                servers: ["amqps://u:p%40@h:1/v"]
                word: none
                names: [x]
                numbers: [2, 3]
                properties: {security.protocol: SSL, sasl.mechanism: "PLAIN"}
                inner: {least: 3, most: 4, password: long enough}
                several:
                  - {least: 5}
                  - {most: 6}
                """;

        assertThat(load(yaml))
                .isEqualTo(new SampleSettings(
                        "other",
                        -7,
                        8_000_000_000L,
                        0.25,
                        false,
                        Duration.ofMillis(250),
                        new DataSize(65_536),
                        List.of(new ConnectionUri("amqps", "u", "p@", "h", 1, "v")),
                        SampleChoice.NONE,
                        List.of("x"),
                        List.of(2, 3),
                        Map.of("security.protocol", "SSL", "sasl.mechanism", "PLAIN"),
                        new InnerSection(3, 4, "long enough"),
                        List.of(new InnerSection(5, 2, ""), new InnerSection(1, 6, ""))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123", "1e3", "true", "no", "1.10", "2026-01-01"})
    void keepsTextAsWritten(String written) {
        assertThat(load("text: " + written).text()).isEqualTo(written);
    }

    @Test
    void anExplicitEmptyTextOverridesTheDefault() {
        assertThat(load("text: \"\"").text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "count: abc; count must be a whole number: abc",
                "count: 3000000000; count must be from -2147483648 to 2147483647: 3000000000",
                "count: 1.5; count must be a whole number: 1.5",
                "count: {a: 1}; count must be a single value, not a map",
                "flag: yes; flag must be true or false: yes",
                "delay: 3; 'delay is not a duration such as 250ms, 3s or 5m: 3'",
                "size: big; size is not a size such as 64KiB or 1MiB: big",
                "servers: [h]; servers[0] is not a URI such as scheme://user:password@host:port/path, with %xx for special"
                        + " characters in its parts",
                "word: key; 'word must be one of none, by-key: key'",
                "names: {a: 1}; 'names must be a list, not a map'",
                "names: [[a]]; 'names[0] must be a single value, not a list'",
                "names: [null]; 'names[0] must be a single value, not nothing'",
                "numbers: [1, x]; 'numbers[1] must be a whole number: x'",
                "properties: [a]; 'properties must be a map, not a list'",
                "inner: 3; 'inner must be a map of keys, not a single value'",
                "inner: {least: 0}; 'inner.least must be from 1 to 100: 0'",
                "several: [{}, {most: 0}]; 'several[1].most must be from 1 to 100: 0'",
                "cuont: 3; 'cuont is not a known key; did you mean count?'",
                "inner: {mots: 3}; 'inner.mots is not a known key; did you mean most?'",
                "zebra: 3; zebra is not a known key",
            })
    void reportsAnErrorWithItsPath(String yaml, String error) {
        assertThat(SettingsLoading.errors(SampleSettings.class, yaml, Map.of())).containsExactly(error);
    }

    @Test
    void reportsAllErrors() {
        String yaml = "{count: x, flag: 3, typo: 1, inner: {least: y, most: 0, typo: 1}}";

        assertThat(SettingsLoading.errors(SampleSettings.class, yaml, Map.of()))
                .containsExactlyInAnyOrder(
                        "typo is not a known key",
                        "count must be a whole number: x",
                        "flag must be true or false: 3",
                        "inner.typo is not a known key",
                        "inner.least must be a whole number: y",
                        "inner.most must be from 1 to 100: 0");
    }

    @Test
    void bindsInlinedRecordsInsideInlinedRecords() {
        LoadedSettings<GroupedSection> loaded =
                SettingsLoading.load(GroupedSection.class, "{first: 4, least: 5, password: long, last: 6}", Map.of());

        assertThat(loaded.settings())
                .isEqualTo(new GroupedSection(new GroupedSection.Group(4, new InnerSection(5, 2, "long"), 6)));
        assertThat(new EffectiveSettings(loaded).values(List.of("first", "most", "password", "last")))
                .hasToString("{\"first\":4,\"most\":2,\"password\":\"***\",\"last\":6}");
    }

    @Test
    void reportsAllErrorsOfInlinedRecords() {
        assertThat(SettingsLoading.errors(GroupedSection.class, "{first: 0, least: 0, most: 101, last: 200}", Map.of()))
                .containsExactlyInAnyOrder(
                        "first must be from 1 to 100: 0",
                        "least must be from 1 to 100: 0",
                        "most must be from 1 to 100: 101",
                        "last must be from 1 to 100: 200");
    }

    @Test
    void anUnsetKeyInheritsItsValue() {
        String yaml = "{inner: {least: 3, most: 4}, entries: [{}, {least: 2, name: x}]}";

        assertThat(SettingsLoading.load(InheritingSection.class, yaml, Map.of()).settings())
                .isEqualTo(new InheritingSection(
                        new InnerSection(3, 4, ""),
                        4,
                        List.of(
                                new InheritingSection.Entry("unnamed", new InnerSection(3, 4, "")),
                                new InheritingSection.Entry("x", new InnerSection(2, 4, "")))));
    }

    @Test
    void reportsAnErrorInAnInheritedValueOnce() {
        assertThat(SettingsLoading.errors(
                        InheritingSection.class, "{inner: {most: 0}, entries: [{name: x}]}", Map.of()))
                .containsExactly("inner.most must be from 1 to 100: 0");
        assertThat(SettingsLoading.errors(InheritingSection.class, "{entries: [{most: 0}, {nmae: x}]}", Map.of()))
                .containsExactlyInAnyOrder(
                        "entries[0].most must be from 1 to 100: 0",
                        "entries[1].nmae is not a known key; did you mean name?");
    }

    @Test
    void aSettingWithoutADefaultIsRequired() {
        assertThat(SettingsLoading.errors(SampleSettings.RequiredSection.class, "", Map.of()))
                .containsExactly("name is missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'count: 1\ncount: 2'; count is set twice, the second time on line 2",
                "'several: [{}, {least: 1, most: 2,\nleast: 3}]';"
                        + " 'several[1].least is set twice, the second time on line 2'",
                "'a: [1'; line 1:",
                "'count: 1\n---\ncount: 2'; line",
                "'text: &x a\nnames: [*x]'; line 2: aliases are not supported",
                "'count: 1\ninner:\n\tleast: 2'; 'line 3: found character ''\\t(TAB)'' that cannot start any token'",
                "'count: 1\nnames: @x'; 'line 2: found character ''@'' that cannot start any token'",
                "'count: 1\n- 2'; 'line 2: expected <block end>, but found ''-'', while parsing a block mapping from line 1"
                        + " on'",
                "'count: 1\nnames: [a\ntext: b'; 'line 3: expected '','' or '']'', but got :, while parsing a flow sequence"
                        + " from line 2 on'",
                "'count: 1\ntext\n'; 'line 3: could not find expected '':'', while scanning a simple key from line 2 on'",
                "'inner: {password: ${A}}'; 'line 1: expected '','' or ''}'', but got {; inside {…} quote it: \"${NAME}\"'",
                "'count: 1\ntext: \u0001'; line 2: special characters are not allowed",
                "[a]; the file must be a map of keys",
                "just text; the file must be a map of keys",
            })
    void rejectsEverythingButOnePlainMap(String yaml, String error) {
        assertThat(SettingsLoading.errors(SampleSettings.class, yaml, Map.of()))
                .singleElement()
                .asString()
                .startsWith(error);
    }

    private static SampleSettings load(String yaml) {
        return SettingsLoading.load(SampleSettings.class, yaml, Map.of()).settings();
    }
}
