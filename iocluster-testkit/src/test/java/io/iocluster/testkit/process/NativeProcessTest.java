package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeProcessTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    @Test
    void aChildEndsWhenItsParentIsKilled() {
        Path pidFile = folder.resolve("pid");
        try (JavaProcess parent = JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx32m"),
                NativeParent.class.getName(),
                List.of(pidFile.toString()),
                folder.resolve("parent.log")))) {
            await().atMost(TIMEOUT).until(() -> Files.exists(pidFile) && Files.size(pidFile) > 0);
            Optional<ProcessHandle> grandchild = ProcessHandle.of(pid(pidFile));
            assertThat(grandchild).isPresent();

            parent.kill();

            await().atMost(TIMEOUT).until(() -> !grandchild.get().isAlive());
        }
    }

    @Test
    void terminateLetsTheChildEndGracefully() {
        String script = "trap 'echo bye; exit 3' TERM; echo ready; while true; do sleep 0.05; done";
        try (NativeProcess child = start("sh", "-c", script)) {
            await().atMost(TIMEOUT).until(() -> child.logTail(1).equals("ready"));

            child.terminate(TIMEOUT);

            assertThat(child.exitCode()).isEqualTo(3);
            assertThat(child.logTail(1)).isEqualTo("bye");
        }
    }

    @Test
    void theParentMonitorEndsWithTheChild() {
        try (NativeProcess child = start("sh", "-c", "echo ready; exec sleep 1000")) {
            await().atMost(TIMEOUT).until(() -> child.logTail(1).equals("ready"));
            List<ProcessHandle> all = ProcessHandle.of(child.pid()).stream()
                    .flatMap(ProcessHandle::descendants)
                    .toList();
            assertThat(all).hasSize(1);

            child.kill();

            await().atMost(TIMEOUT).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void passesOnlyThePathOfTheEnvironment() {
        try (NativeProcess child = start("sh", "-c", "env")) {
            assertThat(child.awaitExit(TIMEOUT)).isTrue();

            // A shell sets PWD itself, and some set more variables.
            assertThat(child.logTail(100)).contains("PATH=", "GIVEN=yes").doesNotContain("HOME=");
        }
    }

    private NativeProcess start(String... line) {
        return NativeProcess.start(new NativeCommand(List.of(line), Map.of("GIVEN", "yes"), folder.resolve("log")));
    }

    private static long pid(Path file) {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Starts a child, writes its pid to a file and waits. */
    public static final class NativeParent {

        private NativeParent() {}

        public static void main(String[] args) throws Exception {
            Path pidFile = Path.of(args[0]);
            NativeProcess child = NativeProcess.start(
                    new NativeCommand(List.of("sleep", "1000"), Map.of(), pidFile.resolveSibling("child.log")));
            Files.writeString(pidFile, Long.toString(child.pid()));
            Thread.currentThread().join();
        }
    }
}
