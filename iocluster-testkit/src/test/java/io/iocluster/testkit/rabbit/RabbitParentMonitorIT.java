package io.iocluster.testkit.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitParentMonitorIT {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void noProcessOutlivesAKilledJvm() {
        Path ready = folder.resolve("ready");
        try (JavaProcess owner = owner(ready)) {
            await().atMost(TIMEOUT).until(() -> Files.exists(ready) || !owner.isAlive());
            List<ProcessHandle> all = descendants(owner);
            assertThat(programs(all)).contains("beam.smp", "epmd");

            owner.kill();

            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(running(all)).isEmpty());
        }
    }

    /** Starts a JVM with its own temporary directory, because a killed JVM leaves its files behind. */
    private JavaProcess owner(Path ready) {
        Path temporary = folder.resolve("tmp");
        assertThat(temporary.toFile().mkdir()).isTrue();
        return JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx64m", JavaCommand.QUIET_LOGGING_FLAG, "-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporary),
                BrokerOwner.class.getName(),
                List.of(ready.toString()),
                folder.resolve("owner.log")));
    }

    private static List<ProcessHandle> descendants(JavaProcess owner) {
        return ProcessHandle.of(owner.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
    }

    private static List<String> programs(List<ProcessHandle> processes) {
        return processes.stream()
                .flatMap(process -> process.info().command().stream())
                .map(command -> Path.of(command).getFileName().toString())
                .toList();
    }

    /** Filters out zombie processes, which have no command. */
    private static Stream<String> running(List<ProcessHandle> processes) {
        return processes.stream().filter(ProcessHandle::isAlive).flatMap(process -> process.info().command().stream());
    }

    /** Launches a broker, creates a file and keeps running. */
    public static final class BrokerOwner {

        private BrokerOwner() {}

        public static void main(String[] args) throws Exception {
            RabbitProcess.launch();
            Files.createFile(Path.of(args[0]));
            Thread.currentThread().join();
        }
    }
}
