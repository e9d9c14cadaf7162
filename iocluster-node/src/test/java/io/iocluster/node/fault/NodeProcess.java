package io.iocluster.node.fault;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A node as its operator starts it, in a process that can be killed. Owned by one test. */
final class NodeProcess implements AutoCloseable {

    private final JavaProcess process;

    private NodeProcess(JavaProcess process) {
        this.process = process;
    }

    static NodeProcess start(Path config, Path log) {
        return new NodeProcess(JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx384m"),
                "io.iocluster.node.Main",
                List.of("run", "--config", config.toString()),
                log)));
    }

    /** SIGKILL. */
    void kill() {
        process.kill();
    }

    /** SIGTERM; returns the exit code when it has ended by itself within the time. */
    int terminate(Duration within) {
        ProcessHandle.of(process.pid()).orElseThrow().destroy();
        if (!process.await(within)) {
            throw new AssertionError("the node did not end within " + within + ":\n" + log());
        }
        return process.exitCode();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String log() {
        return process.logTail(60);
    }

    @Override
    public void close() {
        process.close();
    }
}
