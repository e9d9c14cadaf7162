package io.iocluster.lab.load.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the author of an experiment reads about a mistake. */
class ExperimentErrorsTest {

    private static final String START = "name: e\nsystem: {kind: http}\n";
    private static final String REQUESTS = "requests: [{name: r, url: 'http://127.0.0.1/'}]\n";
    private static final String PHASES =
            "phases: [{name: one, rate: 1/s, duration: 30s}, {name: two, rate: 1/s, duration: 40s}]\n";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requests:\n  - name: r\n    key: {{call.number}}\n",
                "requests:\n  - name: r\n    headers: {X-Order: {{call.number}}}\n",
                "requests:\n  - name: r\n    key: {{call.number}}-{{call.id}}\n"
            })
    void aPlaceholderWithoutQuotesIsAnErrorThatSaysSo(String requests) {
        assertThat(errors(START + requests + PHASES))
                .singleElement()
                .asString()
                .matches(
                        "e\\.yaml:\\d+: .*put a text with a placeholder in quotes, such as key: \"\\{\\{feeder.field}}\"");
    }

    @Test
    void anotherErrorOfTheSyntaxSaysNothingAboutPlaceholders() {
        assertThat(errors(START + REQUESTS + "phases: [{name: '{{a.b}}'\n"))
                .singleElement()
                .asString()
                .startsWith("e.yaml:5: ")
                .doesNotContain("placeholder");
    }

    @Test
    void aBodyThatIsAMapAndAWeightInPercentSayWhatToWrite() {
        assertThat(errors(START + "requests: [{name: r, url: 'http://127.0.0.1/', body: {id: 1}}]\n" + PHASES))
                .containsExactly(
                        "e.yaml:3: requests[0].body must be a single value, not a map; write JSON as a text in quotes, such as"
                                + " body: '{\"id\": 1}'");
        assertThat(errors(START + "requests: [{name: r, url: 'http://127.0.0.1/', weight: 60%}]\n" + PHASES))
                .containsExactly(
                        "e.yaml:3: requests[0].weight must be a number: 60%; weights are relative to each other, such as 3"
                                + " and 1");
    }

    @Test
    void aFaultThatIsDueAfterTheEndIsAnError() {
        String fault = "faults: [{name: f, action: command, run: [a], phase: %s, at: %s}]\n";

        assertThat(errors(START + REQUESTS + PHASES + fault.formatted("two", "45s")))
                .containsExactly("e.yaml:5: faults[0].at must be less than 40s, because the last phase ends then: 45s");
        assertThat(errors(START + REQUESTS + PHASES + fault.formatted("two", "40s")))
                .hasSize(1);
        assertThat(errors(START + REQUESTS + PHASES + fault.formatted("one", "69s")))
                .isEmpty();
        assertThat(errors(START + REQUESTS + PHASES + fault.formatted("''", "70s")))
                .hasSize(1);
    }

    @Test
    void aFaultMayBeDueAtAnyTimeOfAReplayWhoseDurationIsUnknown() {
        String replay = "phases: [{name: p, shape: replay, file: calls.ndjson}]\n";

        assertThat(errors(START + replay + "faults: [{name: f, action: command, run: [a], at: 5m}]\n"))
                .isEmpty();
    }

    @Test
    void expectationsAndFaultsThatNeedServersAreErrorsWithoutThem() {
        assertThat(errors(START + REQUESTS + PHASES + "expectations: [lag < 1s, lag-messages < 5, promql(up) > 0]\n"
                        + "faults: [{name: f, action: pause-node}]\n"))
                .containsExactly(
                        "e.yaml:5: expectations[0] needs system.nodes: the URLs of the nodes' admin servers, which know the"
                                + " lag: lag < 1s",
                        "e.yaml:5: expectations[1] needs system.nodes: the URLs of the nodes' admin servers, which know the"
                                + " lag: lag-messages < 5",
                        "e.yaml:5: expectations[2] needs system.prometheus: the URL of the server that answers the query:"
                                + " promql(up) > 0",
                        "e.yaml:6: faults[0] needs system.nodes or node: the URLs of the admin servers of the nodes that it"
                                + " changes");
        assertThat(errors("name: e\nsystem: {nodes: ['http://127.0.0.1:1'], prometheus: 'http://127.0.0.1:2'}\n"
                        + REQUESTS + PHASES + "expectations: [lag < 1s, promql(up) > 0]\n"
                        + "faults: [{name: f, action: pause-node}]\n"))
                .isEmpty();
    }

    @Test
    void aSystemWithAnErrorIsTheOnlyError() {
        assertThat(errors("name: e\nsystem: {nodes: [127.0.0.1]}\n" + REQUESTS + PHASES + "expectations: [lag < 1s]\n"))
                .singleElement()
                .asString()
                .startsWith("e.yaml:2: system.nodes[0] ");
    }

    private List<String> errors(String yaml) {
        InvalidSettingsException invalid = catchThrowableOfType(InvalidSettingsException.class, () -> load(yaml));
        return invalid == null
                ? List.of()
                : invalid.invalidSettings().stream()
                        .map(Object::toString)
                        .map(error -> error.replace(folder + "/", ""))
                        .toList();
    }

    private void load(String yaml) throws IOException {
        ExperimentFile.load(Files.writeString(folder.resolve("e.yaml"), yaml), Map.of());
    }
}
