package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SetupCommandsTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void initWritesAConfigurationThatIsValid(String transport) {
        String file = folder.resolve("node.yaml").toString();

        CommandRun init = CommandRun.of("", Map.of(), "init", "--transport", transport, file);
        CommandRun check = CommandRun.of("", Map.of(), "check", "--config", file);

        assertThat(init.code()).as(init.err()).isZero();
        assertThat(init.err()).contains("next: iocluster check --config " + file);
        assertThat(check.code()).as(check.err()).isZero();
        assertThat(check.out()).contains("# configuration is valid");
    }

    @Test
    void initNamesTheSchemaThatItWritesBesideTheConfiguration() {
        Path file = folder.resolve("first.yaml");

        CommandRun init = CommandRun.of("", Map.of(), "init", file.toString());
        CommandRun schema = CommandRun.of("", Map.of(), "schema");

        assertThat(init.code()).as(init.err()).isZero();
        assertThat(file).content().startsWith("# yaml-language-server: $schema=node.schema.json\n");
        assertThat(schema.code()).isZero();
        assertThat(folder.resolve("node.schema.json")).hasContent(schema.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "rabbit"})
    void theCommentedSettingsAreValidToo(String transport) throws IOException {
        String all = CommandRun.of("", Map.of(), "init", "--transport", transport)
                .out()
                .replaceAll("(?m)^( *)# (?!yaml-language-server)(?=[a-z-]+:|  )", "$1");
        Path file = Files.writeString(folder.resolve("node.yaml"), all);
        Map<String, String> secrets = Map.of("PARTNER_TOKEN", "s3cr3t", "ADMIN_TOKEN", "s3cr3t");

        CommandRun check = CommandRun.of("", secrets, "check", "--config", file.toString());

        assertThat(check.code()).as(check.err() + all).isZero();
        assertThat(check.out())
                .contains("partner-a", "name: partner", "10.20.0.0/16")
                .doesNotContain("s3cr3t");
    }

    @Test
    void initReplacesNoFile() throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), "mine");

        CommandRun init = CommandRun.of("", Map.of(), "init", file.toString());

        assertThat(init.code()).isEqualTo(1);
        assertThat(init.err()).contains(file + " exists");
        assertThat(folder.resolve("node.schema.json")).doesNotExist();
        assertThat(file).hasContent("mine");
    }

    @Test
    void completionPrintsAScriptThatBashAccepts() throws IOException, InterruptedException {
        CommandRun completion = CommandRun.of("", Map.of(), "completion");
        Path script = Files.writeString(folder.resolve("completion"), completion.out());

        Process bash = new ProcessBuilder("bash", "-n", script.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(bash.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(bash.exitValue()).as(output).isZero();
        assertThat(completion.out()).contains("destinations", "replay", "--dry-run", "complete -F");
    }

    /** Types into an interactive zsh, as a user would. */
    @ParameterizedTest
    @CsvSource({
        "iocluster dlq sh, iocluster dlq show ",
        "iocluster dlq replay --dry, iocluster dlq replay --dry-run ",
        "iocluster run --config ./fold, iocluster run --config ./folder/",
        "iocluster run --config ./folder/my, 'iocluster run --config ./folder/my\\ node.yaml '",
        "other dlq sh, other dlq show ",
    })
    void zshCompletes(String typed, String completed) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "zsh is not installed");
        Files.writeString(
                folder.resolve("completion"),
                CommandRun.of("", Map.of(), "completion").out());
        Files.createDirectory(folder.resolve("folder"));
        Files.createFile(folder.resolve("folder/my node.yaml"));
        Path driver = Files.writeString(folder.resolve("driver"), """
                zmodload zsh/zpty
                zpty shell 'PS1=; exec zsh -f -i'
                expect() { zpty -r shell text "*$1*" }
                zpty -w shell 'autoload -U compinit && compinit -u -D; source ./completion; alias other=iocluster'
                zpty -w shell 'print-line() { print -r -- "[$BUFFER]" }; zle -N print-line; bindkey "^P" print-line'
                zpty -w shell 'print rea""dy'
                expect ready
                zpty -w -n shell "$1"$'\\t'$'\\x10'
                expect ']'
                print -r -- "${${text##*\\[}%%\\]*}"
                """);
        Process zsh = new ProcessBuilder("zsh", "-f", driver.toString(), typed)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();

        assertThat(zsh.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(new String(zsh.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo(completed.strip());
    }
}
