package io.iocluster.testkit.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErlCallCommandTest {

    @TempDir
    private Path folder;

    @Test
    void readsAllThatTheProgramWroteBeforeItEnded() throws IOException {
        String result = "7".repeat(60_000);
        Path program = program(
                "cat > /dev/null; cat '" + Files.writeString(folder.resolve("output"), "{ok, " + result + "}") + "'");

        assertThat(IntStream.range(0, 100).parallel().mapToObj(i -> ErlCallCommand.run(program, 1, "cookie", "3 + 4")))
                .containsOnly(result);
    }

    @Test
    void failsWithTheOutputOfTheProgram() throws IOException {
        Path program = program("cat; echo no connection; exit 1");

        assertThatThrownBy(() -> ErlCallCommand.run(program, 1, "cookie", "3 + 4"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("3 + 4 failed:\n3 + 4.\nno connection");
    }

    private Path program(String script) throws IOException {
        Path program = Files.writeString(folder.resolve("erl_call"), "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }
}
