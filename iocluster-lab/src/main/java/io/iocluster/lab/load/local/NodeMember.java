package io.iocluster.lab.load.local;

import io.iocluster.node.Main;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A node in a separate process. Confined to one thread. */
final class NodeMember implements Member, AutoCloseable {

    private final String name;
    private final JavaCommand command;
    private JavaProcess process;

    /** Starts the node and returns at once. Its log is {@code NAME.log} in the folder. */
    NodeMember(String name, String configuration, Path folder) throws IOException {
        this.name = name;
        Path file = Files.writeString(folder.resolve(name + ".yaml"), configuration);
        this.command = new JavaCommand(
                JavaCommand.classPathFor(NodeMember.class),
                List.of("-Xmx512m", "-XX:+UseParallelGC"),
                Main.class.getName(),
                List.of("run", "--config", file.toString()),
                folder.resolve(name + ".log"));
        Files.deleteIfExists(command.log());
        this.process = JavaProcess.start(command);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void restart() {
        process.close();
        process = JavaProcess.start(command);
    }

    /** Returns the end of the log, for error messages. */
    String logTail() {
        return process.logTail(20);
    }

    @Override
    public void close() {
        process.close();
    }
}
