package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class BenchHelpTest {

    private static final Path HELP = Path.of(System.getProperty("basedir", ".")).resolve("../bin/lib/bench-help.txt");

    @Test
    void theHelpFileMatchesTheOptions() throws IOException {
        String help = new CommandLine(new Bench()).getUsageMessage(Ansi.OFF);
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(HELP, help);
        }

        assertThat(HELP).hasContent(help);
    }
}
