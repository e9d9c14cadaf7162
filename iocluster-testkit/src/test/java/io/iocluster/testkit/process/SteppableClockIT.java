package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SteppableClockIT {

    @TempDir
    private Path folder;

    @Test
    void stepsTheWallClockOfARunningProcessAndNotItsMonotonicClock() {
        SteppableClock clock = new SteppableClock(folder.resolve("offset"));
        Path log = folder.resolve("log");
        JavaCommand command =
                new JavaCommand(JavaCommand.ownClassPath(), List.of(), PrintClocks.class.getName(), List.of(), log);
        try (JavaProcess process = JavaProcess.start(command, clock.environment())) {
            await().until(() -> drifts(log).contains(0L));
            clock.setOffset(Duration.ofSeconds(10));
            await().until(() -> last(log) == 10);
            clock.setOffset(Duration.ofSeconds(-10));
            await().until(() -> last(log) == -10);
            clock.setOffset(Duration.ZERO);
            await().until(() -> last(log) == 0);
            process.kill();
            SteppableClock.deleteSharedMemory(process.pid());
            assertThat(Path.of("/dev/shm/faketime_shm_" + process.pid())).doesNotExist();
        }
    }

    private static long last(Path log) throws IOException {
        List<Long> drifts = drifts(log);
        return drifts.get(drifts.size() - 1);
    }

    private static List<Long> drifts(Path log) throws IOException {
        return Files.readAllLines(log).stream().map(Long::valueOf).toList();
    }

    /** Prints each 20 ms by how many seconds the wall clock has moved against the monotonic clock since the start. */
    static final class PrintClocks {

        private PrintClocks() {}

        public static void main(String[] args) {
            long start = System.currentTimeMillis();
            long startNanos = System.nanoTime();
            while (true) {
                long drift = System.currentTimeMillis() - start - (System.nanoTime() - startNanos) / 1_000_000;
                System.out.println(Math.round(drift / 1e3));
                LockSupport.parkNanos(20_000_000);
            }
        }
    }
}
