package io.iocluster.lab.load;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.schedule.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Experiments and phases of tests. */
public final class TestPhases {

    private TestPhases() {}

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
