package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestResults;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CompareCommandTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    private final Terminal terminal =
            new Terminal(InputStream.nullInputStream(), stream, stream, Map.of(), false, false);

    @Test
    void theExitCodeSaysWhetherTheSecondRunIsWorse() throws IOException {
        Path a = write("a.json", TestResults.steady("get", 10, 1));
        Path same = write("same.json", TestResults.steady("get", 10, 2));
        Path slower = write("slower.json", TestResults.steady("get", 13, 3));

        assertThat(compare(a.toString(), same.toString())).isZero();
        assertThat(compare(a.toString(), slower.toString())).isEqualTo(1);
        assertThat(compare(slower.toString(), a.toString())).isZero();
        assertThat(compare(a.toString())).isEqualTo(2);
    }

    @Test
    void runsWithoutACommonPhaseAreNotEqual() throws IOException {
        Path a = write("a.json", TestResults.steady("get", 10, 1));
        Path empty = write("empty.json", TestResults.changed(TestResults.steady("get", 10, 2), null, List.of()));

        assertThat(compare(a.toString(), empty.toString())).isEqualTo(1);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("The runs have no phase in common.");
    }

    @Test
    void aRunThatIsIncompleteIsNotAsGood() throws IOException {
        RunResult complete = TestResults.steady("get", 10, 1);
        Path a = write("a.json", complete);
        Path interrupted = write("b.json", TestResults.changed(complete, "interrupted", complete.phases()));

        assertThat(compare(a.toString(), interrupted.toString())).isEqualTo(1);
        assertThat(compare(interrupted.toString(), a.toString())).isEqualTo(1);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("differs: B is incomplete: interrupted", "unknown. A run is incomplete.");
    }

    @Test
    void aResultOfAnOlderVersionIsReadWithoutTheRestOfTheLatency() throws IOException {
        RunResult result = TestResults.steady("get", 10, 1);
        String json = ResultJson.encode(result);
        String older = json.replaceAll(",\"rest\":\\{[^{}]*\\{[^{}]*}[^{}]*}", "");

        assertThat(older).isNotEqualTo(json).doesNotContain("\"rest\"");
        assertThat(ResultJson.decode(older, "older.json")).isEqualTo(result);
    }

    @Test
    void aResultIsReadAgainAndItsReportIsTheSame() throws IOException {
        RunResult result = TestResults.steady("get", 10, 1);
        Path file = write("result.json", result);
        Path html = folder.resolve("again.html");

        int code = new CommandLine(new ReportCommand(terminal)).execute(file.toString(), "--html", html.toString());

        assertThat(code).isZero();
        assertThat(ResultJson.read(file)).isEqualTo(result);
        assertThat(html).content().contains("The hypothesis of get");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("peak", "The experiment has no expectations.");
    }

    @Test
    void theComparisonIsAlsoWrittenAsHtml() throws IOException {
        Path a = write("a.json", TestResults.steady("get", 10, 1));
        Path html = folder.resolve("compare.html");

        assertThat(compare(a.toString(), a.toString(), "--html", html.toString()))
                .isZero();

        assertThat(html).content().contains("Load test: two runs of get");
    }

    private int compare(String... arguments) {
        return new CommandLine(new CompareCommand(terminal)).execute(arguments);
    }

    private Path write(String name, RunResult result) throws IOException {
        return Files.writeString(folder.resolve(name), ResultJson.encode(result));
    }
}
