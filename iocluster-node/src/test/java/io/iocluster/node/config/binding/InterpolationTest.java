package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InterpolationTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("NAME", "value", "COUNT", "7", "LIST", "x, y", "DOLLAR", "${NAME}", "EMPTY", "");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "${NAME}; value",
                "a ${NAME} b ${COUNT}; a value b 7",
                "${NONE:fallback}; fallback",
                "${NONE:}; ``",
                "${NONE:http://host:80/}; http://host:80/",
                "${NAME:fallback}; value",
                "${EMPTY:fallback}; ``",
                "$${NAME}; ${NAME}",
                "${DOLLAR}; ${NAME}",
                "$NAME; $NAME",
                "100$; 100$",
            })
    void insertsEnvironmentVariables(String written, String text) {
        assertThat(load("text: \"" + written + "\"").text()).isEqualTo(text);
    }

    @Test
    void insertsValuesOfAnyType() {
        SampleSettings settings = load("{count: \"${COUNT}\", names: \"${LIST}\", properties: {a: \"${NAME}\"}}");

        assertThat(settings.count()).isEqualTo(7);
        assertThat(settings.names()).containsExactly("x", "y");
        assertThat(settings.properties()).containsEntry("a", "value");
    }

    @Test
    void insertsAFileWithoutItsLastLineBreak() throws IOException {
        Files.writeString(folder.resolve("secret"), "s3cr3t\n");

        LoadedSettings<SampleSettings> loaded = loader().load("text: \"${file:secret}\"", folder);

        assertThat(loaded.settings().text()).isEqualTo("s3cr3t");
        assertThat(loaded.files()).containsExactly(folder.resolve("secret"));
        assertThat(new EffectiveSettings(loaded).yaml())
                .contains("text: \"***\"")
                .doesNotContain("s3cr3t");
    }

    @Test
    void anErrorNeverShowsTheContentOfAFile() throws IOException {
        Files.writeString(folder.resolve("secret"), "s3cr3t");

        assertThat(errors("{count: \"${file:secret}\", names: [\"${file:secret}\"], delay: \"${file:secret}\"}"))
                .contains("count must be a whole number")
                .allSatisfy(error -> assertThat(error).doesNotContain("s3cr3t"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "count: \"${NONE}\"; 'count needs the environment variable NONE, which is not set'",
                "inner: {least: \"${NONE}\"}; 'inner.least needs the environment variable NONE, which is not set'",
                "names: [a, \"${NONE}\"]; 'names[1] needs the environment variable NONE, which is not set'",
                "text: \"${file:absent}\"; text names a file that cannot be read (no such file): absent",
                "text: \"${file:.}\"; text names a file that cannot be read (it is a directory): .",
                "text: \"${1X}\"; 'text has a malformed reference; use ${NAME}, ${NAME:default} or ${file:PATH}'",
                "text: \"${NAME\"; 'text has a malformed reference; use ${NAME}, ${NAME:default} or ${file:PATH}'",
            })
    void reportsEachError(String yaml, String error) {
        assertThat(errors(yaml)).containsExactly(error);
    }

    private SampleSettings load(String yaml) {
        return loader().load(yaml, folder).settings();
    }

    private static SettingsLoader<SampleSettings> loader() {
        return new SettingsLoader<>(SampleSettings.class, ENVIRONMENT);
    }

    private List<String> errors(String yaml) {
        return SettingsLoading.errors(
                        SampleSettings.class, yaml.replace("${file:", "${file:" + folder + "/"), ENVIRONMENT)
                .stream()
                .map(error -> error.replace(folder + "/", ""))
                .toList();
    }
}
