package io.iocluster.lab.load;

import io.iocluster.lab.load.experiment.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Small experiments for tests. */
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
}
