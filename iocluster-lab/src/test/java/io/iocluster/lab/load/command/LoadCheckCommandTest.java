package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LoadCheckCommandTest {

    private static final String EXPERIMENT = """
            name: shop
            system: {kind: http}
            requests:
              - name: look
                weight: 3
                url: "http://127.0.0.1:9000/ok?town={{shoppers.town}}"
                headers: {Authorization: Bearer abc}
              - name: order
                method: POST
                url: http://127.0.0.1:9000/ok
                headers: {Content-Type: application/json}
                body: |
                  {"town": "{{shoppers.town}}",
                   "age": {{shoppers.age}}}
                key: "{{shoppers.town}}"
            feeders:
              - {name: shoppers, file: shoppers.csv}
            phases:
              - {name: peak, rate: 100/s, duration: 1m}
            faults:
              - {name: slow, action: target, target: "http://127.0.0.1:9000", at: 10s, duration: 20s}
            expectations:
              - p99 < 300ms
            """;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    private final Terminal terminal =
            new Terminal(InputStream.nullInputStream(), stream, stream, Map.of(), false, false);

    @BeforeEach
    void writeRows() throws IOException {
        Files.writeString(folder.resolve("shoppers.csv"), "town,age\n\"O\"\"Fallon & Co\",41\nBern,20\n");
    }

    @Test
    void itShowsEachRequestAsItWouldBeSentWithTheFirstRowOfItsFeeders() throws IOException {
        check(EXPERIMENT);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("""
                name          shop
                system        http
                request       look: 75 % of the calls
                              GET http://127.0.0.1:9000/ok?town=O%22Fallon%20%26%20Co
                              Authorization: ***
                request       order: 25 % of the calls
                              POST http://127.0.0.1:9000/ok
                              Content-Type: application/json
                              {"town": "O\\"Fallon & Co",
                               "age": 41}
                              key of the message: O"Fallon & Co
                phase         peak: constant 100/s, 6,000 calls in 1m
                fault         slow: target, 10s after the start of the first phase, for 20s
                expectation   p99 < 300ms
                experiment is valid
                """);
    }

    @Test
    void aBodyThatIsNotJsonIsAnErrorOnItsLine() {
        assertThatThrownBy(() -> check(EXPERIMENT.replace("\"age\": {{shoppers.age}}", "\"town\": {{shoppers.town}}")))
                .hasMessageContaining("e.yaml:12: requests[1].body is not JSON, but its Content-Type is: ");
        assertThatThrownBy(() -> check(
                        EXPERIMENT.replace("\"age\"", "age").replace("application/json", "application/x+JSON; v=1")))
                .hasMessageContaining("e.yaml:12: requests[1].body is not JSON");
    }

    @Test
    void aBodyOfAnotherTypeMayHaveAnyText() throws IOException {
        check(EXPERIMENT.replace("\"age\"", "age").replace("application/json", "application/x-ndjson"));

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("experiment is valid");
    }

    @Test
    void anUnknownFieldOfAFileIsAnErrorOnItsLineWithTheFieldsThatExist() {
        assertThatThrownBy(() -> check(EXPERIMENT.replace("?town={{shoppers.town}}", "?town={{shoppers.city}}")))
                .hasMessageContaining(
                        "e.yaml:6: requests[0].url names the unknown field of the feeder shoppers \"city\";"
                                + " it has town, age");
    }

    private void check(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("e.yaml"), yaml);
        LoadCheckCommand command = new LoadCheckCommand(terminal);
        new CommandLine(command).parseArgs(file.toString());
        command.call();
    }
}
