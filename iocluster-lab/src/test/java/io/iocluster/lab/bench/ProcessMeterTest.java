package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ProcessMeterTest {

    private final ProcessMeter self = new ProcessMeter(ProcessHandle.current().pid());

    @Test
    void measuresTheCpuTimeOfAProcess() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = self.cpuMicros();
        // In 200 ms of a busy machine a thread may get next to no CPU time.
        long end = threads.getCurrentThreadCpuTime() + 200_000_000L;
        while (threads.getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }

        assertThat(self.cpuMicros() - before).isBetween(150_000L, 20_000_000L);
    }

    @Test
    void readsTheArgumentsOfAProcess() {
        assertThat(self.arguments().get(0)).endsWith("java");
        assertThat(self.arguments())
                .containsAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    @Test
    void readsPeakMemory() {
        assertThat(self.peakResidentBytes()).isGreaterThan(10L << 20);
    }

    @Test
    void readsThePeakHeapFromTheGcLog(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("gc.log");
        assertThat(ProcessMeter.peakHeapBytes(log)).isZero();
        Files.writeString(log, """
                [0.5s][info][gc] Using G1
                [0.9s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->6M(1024M) 4.2ms
                [1.9s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 614M->16M(1024M) 4.2ms
                """);

        assertThat(ProcessMeter.peakHeapBytes(log)).isEqualTo(614L << 20);
    }

    @Test
    void readsTheHeapAfterEachFullCollectionFromTheGcLog(@TempDir Path folder) throws IOException {
        Path log = folder.resolve("gc.log");
        Files.writeString(log, """
                [0.5s][info][gc] Using Parallel
                [0.9s][info][gc] GC(0) Pause Full (Diagnostic Command) 24M->6M(1024M) 4.2ms
                [1.9s][info][gc] GC(1) Pause Full (Diagnostic Command) 624M->36M(1024M) 4.2ms
                [2.9s][info][gc] GC(2) Pause Young (Allocation Failure) 614M->16M(1024M) 4.2ms
                """);

        assertThat(ProcessMeter.heapAfterFullCollections(log)).containsExactly(6L << 20, 36L << 20);
    }
}
