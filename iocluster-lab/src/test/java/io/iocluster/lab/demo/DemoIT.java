package io.iocluster.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.Main;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoIT {

    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void answersEveryCallPrintsASummaryAndCleansUp() throws IOException {
        try (JavaProcess demo = demo("--requests", "500")) {
            List<ProcessHandle> children = awaitChildren(demo);

            assertThat(demo.awaitExit(LONG)).as(demo.logTail(40)).isTrue();

            assertThat(demo.exitCode()).as(demo.logTail(40)).isZero();
            assertThat(demo.logTail(40)).contains("answered   500", "failed     0", "calls/s", "p50", "p99");
            assertNothingIsLeft(children);
        }
    }

    @Test
    void runsOnRabbitUntilItIsInterruptedAndCleansUp() throws IOException {
        try (JavaProcess demo = demo("--transport", "rabbit", "--requests", "500", "--keep")) {
            await().atMost(LONG)
                    .failFast("the demo ended", () -> !demo.isAlive())
                    .until(() -> demo.logTail(40).contains("console http://127.0.0.1:"));
            List<ProcessHandle> children = awaitChildren(demo);
            assertThat(demo.logTail(40))
                    .contains("answered   500", "failed     0")
                    .doesNotContain("WARN");

            ProcessHandle.of(demo.pid()).orElseThrow().destroy();

            assertThat(demo.awaitExit(LONG)).as(demo.logTail(40)).isTrue();
            assertNothingIsLeft(children);
        }
    }

    private JavaProcess demo(String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("demo"));
        arguments.addAll(List.of(options));
        return JavaProcess.start(new JavaCommand(
                JavaCommand.classPathFor(Demo.class),
                List.of("-Xmx384m", "-Djava.io.tmpdir=" + Files.createDirectory(scratch())),
                Main.class.getName(),
                arguments,
                folder.resolve("demo.log")));
    }

    private Path scratch() {
        return folder.resolve("scratch");
    }

    /** Waits for the child processes, at least the broker, and returns them. */
    private static List<ProcessHandle> awaitChildren(JavaProcess demo) {
        ProcessHandle handle = ProcessHandle.of(demo.pid()).orElseThrow();
        return await().atMost(LONG)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> handle.descendants().toList(), found -> !found.isEmpty());
    }

    private void assertNothingIsLeft(List<ProcessHandle> children) {
        // A child process that is not a JVM exits shortly after its parent, through its parent monitor.
        await().atMost(LONG).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(scratch()).isEmptyDirectory();
    }
}
