package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A node that runs in its own process, as in production. Owned by one test. */
public final class NodeProcess implements RunningNode {

    private static final Pattern ADMIN = Pattern.compile("admin=(http://[^ ]+)");

    private final JavaProcess process;
    private final Path log;
    /** The number of lines that earlier processes wrote to the log. */
    private final int earlierLines;

    private boolean isSuspended;

    private NodeProcess(JavaProcess process, Path log, int earlierLines) {
        this.process = process;
        this.log = log;
        this.earlierLines = earlierLines;
    }

    /** Starts a node and returns at once; appends to the log if it exists. */
    public static NodeProcess start(List<String> jvmOptions, Path config, Path log) {
        return start(jvmOptions, Map.of(), config, log);
    }

    /**
     * Starts a node with further environment variables, and returns at once; appends to the log if it exists. The node is a {@link
     * ColdNode} unless the variables say otherwise.
     */
    public static NodeProcess start(List<String> jvmOptions, Map<String, String> environment, Path config, Path log) {
        List<String> options = new ArrayList<>(List.of("-Xmx384m", "-XX:+UseSerialGC"));
        options.addAll(jvmOptions);
        JavaCommand command = new JavaCommand(
                JavaCommand.classPathFor(Main.class),
                options,
                Main.class.getName(),
                List.of("run", "--config", config.toString()),
                log);
        Map<String, String> variables = new HashMap<>(ColdNode.ENVIRONMENT);
        variables.putAll(environment);
        int earlierLines = lines(log).size();
        JavaProcess process = JavaProcess.start(command, variables);
        return new NodeProcess(process, log, earlierLines);
    }

    /** Sends SIGKILL. */
    public void kill() {
        process.kill();
    }

    /** Sends SIGTERM. */
    @Override
    public int terminate(Duration within) {
        ProcessHandle.of(process.pid()).orElseThrow().destroy();
        if (!process.awaitExit(within)) {
            throw new AssertionError("the node did not end within " + within + ":\n" + log());
        }
        return process.exitCode();
    }

    /** Freezes it with SIGSTOP: its connections stay open. */
    public void suspend() {
        process.suspend();
        isSuspended = true;
    }

    /** Continues it with SIGCONT. */
    public void resume() {
        process.resume();
        isSuspended = false;
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the most kilobytes of memory that the process has held, as Linux counts them. */
    public long peakResidentKilobytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmHWM"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Waits until this process logs the address of its admin server, and returns it. */
    @Override
    public String adminUrl() {
        // Without the delay before the first poll, which each request to the admin server would pay.
        return await().atMost(STARTUP)
                .pollDelay(Duration.ZERO)
                .failFast("the node exited", () -> !isAlive())
                .until(this::adminInLog, url -> url != null);
    }

    @Override
    public NodeProcess awaitReady() {
        RunningNode.super.awaitReady();
        return this;
    }

    private String adminInLog() {
        return logLines().stream()
                .skip(earlierLines)
                .map(ADMIN::matcher)
                .filter(Matcher::find)
                .map(match -> match.group(1))
                .findFirst()
                .orElse(null);
    }

    /** Returns the whole log, including earlier runs. */
    public List<String> logLines() {
        return lines(log);
    }

    private static List<String> lines(Path log) {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String log() {
        return process.logTail(60);
    }

    /** Kills it. One of the first nodes also leaves its classes to later ones: by now it has loaded those of calls too. */
    @Override
    public void close() {
        if (!isSuspended) {
            process.archiveClasses();
        }
        process.close();
    }
}
