package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestExperiments;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptedRunTest {

    @TempDir
    private Path folder;

    @Test
    void aRunMayTakeAsLongToEndAsTheProgramsThatUndoItsFaults() throws IOException {
        assertThat(patience("")).isEqualTo(Duration.ofSeconds(90));
        assertThat(patience("""
                faults:
                  - {name: a, action: command, run: [x], timeout: 2m}
                  - {name: b, action: command, run: [x], timeout: 5m}
                """)).isEqualTo(Duration.ofSeconds(90).plusMinutes(2 + 5 + 5));
    }

    private Duration patience(String faults) throws IOException {
        return InterruptedRun.patience(TestExperiments.experiment(
                        folder.resolve("e.yaml"),
                        "requests: [{name: r, url: \"http://127.0.0.1/\"}]\nphases: [{name: p, rate: 1/s, duration: 1s}]\n"
                                + faults)
                .experiment());
    }
}
