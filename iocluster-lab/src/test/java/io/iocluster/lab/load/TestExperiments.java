package io.iocluster.lab.load;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.schedule.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Small experiments and phases for tests. */
public final class TestExperiments {

    private TestExperiments() {}

    /** Returns an experiment with phases {@code warm-up} and {@code peak}, and further YAML at the top level. */
    public static ExperimentFile load(Path folder, String system, String further) throws IOException {
        Path file = Files.writeString(folder.resolve("experiment.yaml"), """
                name: test
                system: {%s}
                requests: [{name: get, url: http://127.0.0.1:9/ok}]
                phases:
                  - {name: warm-up, duration: 10s, rate: 10/s, measured: false}
                  - {name: peak, duration: 20s, rate: 10/s}
                %s
                """.formatted(system, further));
        return ExperimentFile.load(file, Map.of());
    }

    /** Returns the schedule of a phase with these keys. */
    public static Schedule schedule(String keys) {
        return Schedule.of(phase(keys));
    }

    /** Returns a phase with these keys. */
    public static Phase phase(String keys) {
        try {
            Path folder = Files.createTempDirectory("load");
            Path file = folder.resolve("experiment.yaml");
            try {
                return experiment(
                                file,
                                "requests: [{name: r, url: \"http://127.0.0.1/\"}]\nphases: [{name: p, " + keys + "}]")
                        .experiment()
                        .phases()
                        .get(0);
            } finally {
                Files.delete(file);
                Files.delete(folder);
            }
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        }
    }

    /** Writes and loads an experiment with a name and these keys. */
    public static ExperimentFile experiment(Path file, String yaml) throws IOException {
        Files.writeString(file, "name: test\n" + yaml);
        return ExperimentFile.load(file, Map.of());
    }
}
