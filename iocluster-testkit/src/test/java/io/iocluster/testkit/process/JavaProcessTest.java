package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaProcessTest {

    @TempDir
    private Path folder;

    @Test
    void aChildEndsWhenItsParentIsKilled() {
        Path pidFile = folder.resolve("pid");
        try (JavaProcess parent = start(JavaParent.class, pidFile)) {
            await().until(() -> Files.exists(pidFile) && Files.size(pidFile) > 0);
            Optional<ProcessHandle> grandchild = ProcessHandle.of(pid(pidFile));
            assertThat(grandchild).isPresent();

            parent.kill();

            await().until(() -> !grandchild.get().isAlive());
        }
    }

    @Test
    void logTailShowsTheEndOfTheLogOfAFailedProcess() {
        try (JavaProcess failing = start(FailingMain.class, folder.resolve("unused"))) {
            assertThat(failing.awaitExit(Duration.ofMinutes(1))).isTrue();

            assertThat(failing.exitCode()).isNotZero();
            assertThat(failing.logTail(20)).contains("as asked");
        }
    }

    @Test
    void aTempDirectoryIsDeletedWithItsContent() throws IOException {
        TempDirectory directory = new TempDirectory("test");
        Files.createDirectories(directory.resolve("a").resolve("b"));
        Files.writeString(directory.resolve("a").resolve("file"), "x");

        directory.close();

        assertThat(directory.path()).doesNotExist();
    }

    private JavaProcess start(Class<?> main, Path argument) {
        return JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx32m"),
                main.getName(),
                List.of(argument.toString()),
                folder.resolve(main.getSimpleName() + ".log")));
    }

    private static long pid(Path file) {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Starts a child, writes its pid to a file and waits. */
    public static final class JavaParent {

        private JavaParent() {}

        public static void main(String[] args) throws Exception {
            Path pidFile = Path.of(args[0]);
            JavaProcess child = JavaProcess.start(new JavaCommand(
                    JavaCommand.ownClassPath(),
                    List.of("-Xmx32m"),
                    WaitingMain.class.getName(),
                    List.of(),
                    pidFile.resolveSibling("child.log")));
            Files.writeString(pidFile, Long.toString(child.pid()));
            Thread.currentThread().join();
        }
    }

    /** Waits until it is killed. */
    public static final class WaitingMain {

        private WaitingMain() {}

        public static void main(String[] args) throws Exception {
            Thread.currentThread().join();
        }
    }

    /** Fails. */
    public static final class FailingMain {

        private FailingMain() {}

        @SuppressWarnings("DoNotCallSuggester") // A child JVM calls it.
        public static void main(String[] args) {
            throw new IllegalStateException("as asked");
        }
    }
}
