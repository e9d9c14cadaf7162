package io.iocluster.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cli.Commands;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "demo --requests 0; --requests must be from 1 to 10000000: 0",
                "demo --transport pigeon; Invalid value for option '--transport'",
            })
    void reportsAnInvalidCommandLineInOneLine(String arguments, String error) {
        Terminal terminal = new Terminal(
                InputStream.nullInputStream(),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Map.of(),
                false,
                false);

        int code = Commands.run(terminal, new FakeDemoBroker(), arguments.split(" "));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("iocluster: ")
                .contains(error)
                .contains("try: iocluster demo --help");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }
}
