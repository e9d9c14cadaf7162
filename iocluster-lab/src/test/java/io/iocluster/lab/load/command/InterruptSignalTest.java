package io.iocluster.lab.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptSignalTest {

    private final List<String> events = new ArrayList<>();
    private final InterruptSignal signal = new InterruptSignal(
            () -> "undoing the fault broken", events::add, () -> events.add("exit"), () -> events.add("halt"));

    @Test
    void theSecondInterruptSaysWhatIsBeingUndoneAndTheThirdEndsTheProcessAtOnce() {
        signal.received();
        assertThat(events).containsExactly("exit");

        signal.received();
        assertThat(events)
                .hasSize(2)
                .last()
                .asString()
                .startsWith("Still undoing the fault broken. Wait, or press Ctrl-C again");

        signal.received();
        assertThat(events).hasSize(3).last().isEqualTo("halt");
    }
}
