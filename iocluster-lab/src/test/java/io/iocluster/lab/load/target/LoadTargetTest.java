package io.iocluster.lab.load.target;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.experiment.SystemUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LoadTargetTest {

    @TempDir
    private Path folder;

    @Test
    @Timeout(60)
    void aBrokerThatCannotBeReachedIsNamedWithTheKeyToCheck() throws IOException {
        SystemUnderTest system = TestExperiments.load(
                        folder, "kind: rabbit, rabbit: {uris: ['amqp://guest:secret@127.0.0.1:1/']}", "")
                .experiment()
                .system();

        assertThatThrownBy(() -> LoadTarget.connect(system, "test"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot connect to rabbit 127.0.0.1:1: ")
                .hasMessageEndingWith("; check system.rabbit of the experiment, and whether the broker runs")
                .hasMessageNotContaining("secret");
    }
}
