package io.iocluster.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
        long before = self.cpuMicros();
        long end = System.nanoTime() + 200_000_000L;
        long iterations = 0;
        while (System.nanoTime() < end) {
            iterations++;
        }

        assertThat(iterations).isPositive();
        assertThat(self.cpuMicros() - before).isBetween(50_000L, 20_000_000L);
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
}
