package io.iocluster.lab.load.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(errors("name: x\nphases: [\n")).singleElement().asString().startsWith("e.yaml:3: ");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "action: pause-destination, node: 'http://127.0.0.1:1', destination: partner",
                "action: target, target: 'http://127.0.0.1:9000'"
            })
    void aFaultThatEndsByItselfNeedsADurationIfAReplayHasNone(String keys) {
        String replay = VALID.replace(
                "  - {name: peak, shape: ramp, from: 20/s, to: 1700/s, duration: 10m}",
                "  - {name: peak, shape: replay, file: calls.ndjson}");

        assertThat(errors(replay + "faults: [{name: f, " + keys + "}]\n"))
                .singleElement()
                .asString()
                .endsWith(
                        "faults[0].duration is missing, but how long the run takes is unknown, because phase peak replays"
                                + " a file without a duration");
        assertThatCode(() -> load(replay + "faults: [{name: f, " + keys + ", duration: 5m}]\n"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "phases: [{name: p, rate: 1000000000/s, duration: 1s}]",
                "phases: [{name: p, rate: 1/s, duration: -1s}]",
                "phases: [{name: p, rate: 1/s, duration: 999999999999d}]",
                "phases: [{name: p, shape: users, users: 10000000, duration: 1s}]",
                "phases: [{name: p, shape: users, users: 100000, duration: 1s, think-time: 3d}]",
                "phases: [{name: p, shape: users, users: 1, duration: 1s, think-time: 90000d}]",
                "phases: [{name: p, shape: sine, from: 1/s, to: 2/s, duration: 1s, period: 90000d}]",
                "phases: [{name: p, shape: sine, from: 1/s, to: 2/s, duration: 1s, period: 1ms}]",
                "phases: [{name: p, shape: search, from: 1/s, to: 2/s, trial: 90000d, objective: [errors < 1]}]",
                "phases: [{name: p, shape: replay, file: f, speed: 1e-300}]",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\ndrain-timeout: 90000d",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\nmetrics-interval: 1ms",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\nexpectations: [lag < 1s within 90000d]",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\nfaults: [{name: f, action: pause-node, at: 90000d}]",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\nfaults: [{name: f, action: pause-node, duration: 90000d}]",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\nfaults: [{name: f, action: command, run: [a], timeout: 90d}]",
                "phases: [{name: p, rate: 1/s, duration: 1s}]\n"
                        + "faults: [{name: f, action: target, target: 'http://a', latency: 90d}]"
            })
    void anAbsurdValueIsAnErrorOfItsKey(String keys) {
        assertThat(errors("name: e\nrequests: [{name: r, url: http://h/}]\n" + keys + "\n"))
                .isNotEmpty()
                .allMatch(error -> error.startsWith("e.yaml:"));
    }

    @Test
    void anInfiniteWeightIsAnError() {
        assertThat(errors(VALID.replace("weight: 9", "weight: 1e300")))
                .containsExactly("e.yaml:6: requests[0].weight must be at most 1000000000: 1.0E300");
    }

    @Test
    void whatIsNotAFileOfReasonableSizeIsAnError() throws IOException {
        Path large = folder.resolve("large.yaml");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(10L << 30);
        }

        assertThatThrownBy(() -> ExperimentFile.load(large, Map.of()))
                .hasMessageContaining("is larger than 16 MiB; put data into files of feeders");
        assertThatThrownBy(() -> ExperimentFile.load(folder, Map.of())).hasMessageContaining("is not a file");
        assertThatThrownBy(() -> ExperimentFile.load(Path.of("/dev/zero"), Map.of()))
                .hasMessageContaining("is not a file");
    }

    @Test
    void aliasesThatMultiplyAreAnError() {
        StringBuilder bomb = new StringBuilder("name: e\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            bomb.append("a").append(i).append(": &a").append(i).append(" [").append(("*a" + (i - 1) + ", ").repeat(10));
            bomb.append("]\n");
        }

        assertThat(errors(bomb.toString())).isNotEmpty();
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
