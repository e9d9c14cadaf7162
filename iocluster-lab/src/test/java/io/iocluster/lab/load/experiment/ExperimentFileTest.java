package io.iocluster.lab.load.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentFileTest {

    private static final String VALID = """
            name: Black Friday
            hypothesis: p99 stays below 300 ms.
            system: {kind: kafka, kafka: {bootstrap-servers: "${BROKER:127.0.0.1:9092}"}}
            requests:
              - name: click
                weight: 9
                url: "http://127.0.0.1/ok?user={{users.id}}"
              - {name: order, method: POST, url: "http://127.0.0.1/ok", body: '{"id": "{{call.id}}"}'}
            feeders:
              - {name: users, values: {id: [a, b]}, order: zipf}
            phases:
              - {name: warm-up, rate: 20/s, duration: 5s, measured: false}
              - {name: peak, shape: ramp, from: 20/s, to: 1700/s, duration: 10m}
            expectations:
              - p99 of click in peak < 300ms
              - error-share < 0.1%
            """;

    @TempDir
    private Path folder;

    @Test
    void aFileBecomesAnExperiment() throws IOException {
        Experiment experiment = load(VALID).experiment();

        assertThat(experiment.requests()).extracting(RequestTemplate::name).containsExactly("click", "order");
        assertThat(experiment.phase("peak").orElseThrow().shape()).isEqualTo(Phase.Shape.RAMP);
        assertThat(experiment.plannedDuration()).isEqualTo(Duration.ofSeconds(605));
        assertThat(experiment.system().kafka().bootstrapServers()).isEqualTo("127.0.0.1:9092");
        assertThat(experiment.parsedExpectations()).hasSize(2);
    }

    @Test
    void environmentVariablesOverrideKeysAndReplaceReferences() throws IOException {
        Path file = Files.writeString(folder.resolve("e.yaml"), VALID);

        Experiment experiment = ExperimentFile.load(
                        file, Map.of("BROKER", "10.0.0.1:9092", "IOCLUSTER_SYSTEM_KIND", "http"))
                .experiment();

        assertThat(experiment.system().kafka().bootstrapServers()).isEqualTo("10.0.0.1:9092");
        assertThat(experiment.system().kind()).isEqualTo(SystemUnderTest.Kind.HTTP);
    }

    @Test
    void anErrorNamesFileLineAndKeyAndSuggestsTheRightName() {
        assertThat(errors(VALID.replace("duration: 10m", "durration: 10m")))
                .containsExactlyInAnyOrder(
                        "e.yaml:13: phases[1].durration is not a known key; did you mean duration?",
                        "e.yaml:13: phases[1].duration must be set for shape ramp");
        assertThat(errors(VALID.replace("in peak", "in peek")))
                .containsExactly("e.yaml:15: expectations[0] names the unknown phase \"peek\"; did you mean peak?");
        assertThat(errors(VALID.replace("{{users.id}}", "{{user.id}}")))
                .containsExactly("e.yaml:7: requests[0].url names the unknown feeder \"user\"; did you mean users?");
        assertThat(errors(VALID.replace("{{users.id}}", "{{users.ip}}")))
                .containsExactly(
                        "e.yaml:7: requests[0].url names the unknown field of the feeder users \"ip\"; did you mean id?");
        assertThat(errors(VALID.replace("weight: 9", "weight: 0")))
                .containsExactly("e.yaml:6: requests[0].weight must be positive: 0.0");
        assertThat(errors(VALID.replace("shape: ramp", "shape: rampe")))
                .containsExactly(
                        "e.yaml:13: phases[1].shape must be one of constant, ramp, step, spike, sine, users, replay,"
                                + " search: rampe");
    }

    @Test
    void anErrorOfTheSyntaxNamesTheLine() {
        assertThat(errors("name: x\nphases: [\n"))
                .singleElement()
                .asString()
                .startsWith("e.yaml:")
                .contains("line");
    }

    @Test
    void keysOfAnotherShapeAreErrors() {
        assertThat(errors(VALID.replace("shape: ramp, ", "")))
                .contains(
                        "e.yaml:13: phases[1].rate is missing, but shape constant needs it, such as 200/s",
                        "e.yaml:13: phases[1].from is not for shape constant");
    }

    @Test
    void aServerWithoutAUrlIsAnError() {
        assertThat(errors(VALID + "faults: [{name: f, action: target, target: '127.0.0.1:9000'}]\n"))
                .singleElement()
                .asString()
                .endsWith("faults[0].target is not a URL such as http://127.0.0.1:8080: 127.0.0.1:9000");
        assertThat(errors(VALID + "faults: [{name: f, action: pause-node, node: 'localhost:8081'}]\n"))
                .singleElement()
                .asString()
                .endsWith("faults[0].node is not a URL such as http://127.0.0.1:8080: localhost:8081");
    }

    @Test
    void aPauseNeedsADurationIfAReplayHasNone() {
        String replay = VALID.replace(
                "  - {name: peak, shape: ramp, from: 20/s, to: 1700/s, duration: 10m}",
                "  - {name: peak, shape: replay, file: calls.ndjson}");
        String pause = "faults: [{name: f, action: pause-destination, destination: partner%s}]\n";

        assertThat(errors(replay + pause.formatted("")))
                .singleElement()
                .asString()
                .endsWith(
                        "faults[0].duration is missing, but how long the run takes is unknown, because phase peak replays"
                                + " a file without a duration");
        assertThatCode(() -> load(replay + pause.formatted(", duration: 5m"))).doesNotThrowAnyException();
    }

    private ExperimentFile load(String yaml) throws IOException {
        return ExperimentFile.load(Files.writeString(folder.resolve("e.yaml"), yaml), Map.of());
    }

    private List<String> errors(String yaml) {
        InvalidSettingsException invalid = catchThrowableOfType(InvalidSettingsException.class, () -> load(yaml));
        return invalid.invalidSettings().stream()
                .map(Object::toString)
                .map(error -> error.replace(folder + "/", ""))
                .toList();
    }
}
