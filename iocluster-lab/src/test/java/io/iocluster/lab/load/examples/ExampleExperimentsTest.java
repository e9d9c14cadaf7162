package io.iocluster.lab.load.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.data.ExperimentData;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExampleExperimentsTest {

    private static final Path EXAMPLES =
            Path.of(System.getProperty("basedir", ".")).resolve("../examples/load");

    private static Stream<Path> experiments() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void eachExperimentIsValidAndSaysWhatItExpects(Path file) throws IOException {
        ExperimentFile loaded = ExperimentFile.load(file, Map.of("HOME", "/home/me"));
        ExperimentData.check(loaded);

        Experiment experiment = loaded.experiment();
        assertThat(file.getFileName()).hasToString(experiment.name() + ".yaml");
        assertThat(experiment.hypothesis()).isNotBlank();
        assertThat(experiment.expectations()).isNotEmpty();
    }

    @Test
    void theReadmeListsEachExperiment() throws IOException {
        String readme = Files.readString(EXAMPLES.resolve("README.md"));

        assertThat(experiments()).isNotEmpty().allMatch(file -> {
            String name = file.getFileName().toString();
            return readme.contains("[" + name + "](" + name + ")");
        });
    }
}
