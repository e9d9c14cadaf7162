package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestExperiments;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunInterruptionTest {

    @TempDir
    private Path folder;

    private final List<String> events = new ArrayList<>();
    private final RunInterruption interruption =
            new RunInterruption(() -> "broken", events::add, () -> events.add("exit"), () -> events.add("halt"));

    @Test
    void theSecondInterruptSaysWhatIsBeingUndoneAndTheThirdEndsTheProcessAtOnce() {
        interruption.received();
        assertThat(events).containsExactly("exit");

        interruption.received();
        assertThat(events)
                .hasSize(2)
                .last()
                .asString()
                .startsWith("Still undoing the fault broken. Wait, or press Ctrl-C again");

        interruption.received();
        assertThat(events).hasSize(3).last().isEqualTo("halt");
    }

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
        return RunInterruption.patience(
                TestExperiments.load(folder, "kind: http", faults).experiment());
    }
}
