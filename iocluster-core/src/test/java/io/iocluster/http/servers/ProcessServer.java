package io.iocluster.http.servers;

import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server as a process. Its configuration, output and logs are in one folder. */
final class ProcessServer implements RunningServer {

    private static final Duration STARTUP = Duration.ofMinutes(1);
    private static final Duration SHUTDOWN = Duration.ofSeconds(10);
    private static final Pattern ID = Pattern.compile("\\?id=(c\\d+\\.\\d+)");

    private final List<String> command;
    private final String reload;
    private final Path folder;
    private final int port;
    private NativeProcess process;
    private boolean isClosed;

    /**
     * Starts the process and waits until it listens.
     *
     * @param reload {@code signal NAME}, {@code restart}, or a command
     */
    ProcessServer(List<String> command, String reload, Path folder, int port) {
        this.command = command;
        this.reload = reload;
        this.folder = folder;
        this.port = port;
        start();
    }

    private void start() {
        process = NativeProcess.start(
                new NativeCommand(command, Map.of("HOME", folder.toString()), folder.resolve("output.log")));
        await().atMost(STARTUP).until(() -> listens() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(String.join(" ", command) + " ended:\n" + process.logTail(40));
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void reload() {
        if (reload.equals("restart")) {
            stop();
            start();
        } else if (reload.startsWith("signal ")) {
            run(List.of("kill", "-" + reload.substring("signal ".length()), Long.toString(process.pid())));
        } else {
            run(List.of(reload.split(" ")));
        }
    }

    private void run(List<String> task) {
        NativeProcess child = NativeProcess.start(
                new NativeCommand(task, Map.of("HOME", folder.toString()), folder.resolve("reload.log")));
        if (!child.awaitExit(STARTUP) || child.exitCode() != 0) {
            throw new IllegalStateException(String.join(" ", task) + " failed:\n" + child.logTail(40));
        }
        child.close();
    }

    /** Kills the process and those that it started, such as the workers of nginx, which would live on. */
    @Override
    public void kill() {
        List<ProcessHandle> workers = descendants();
        process.kill();
        workers.forEach(ProcessHandle::destroyForcibly);
        await().atMost(STARTUP).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
        start();
    }

    private List<ProcessHandle> descendants() {
        return ProcessHandle.of(process.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
    }

    private void stop() {
        List<ProcessHandle> workers = descendants();
        process.terminate(SHUTDOWN);
        workers.forEach(ProcessHandle::destroyForcibly);
        await().atMost(STARTUP).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            stop();
        }
    }

    @Override
    public Map<String, String> processed() {
        Map<String, String> ids = new HashMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path log :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
                    lines.forEach(line -> {
                        Matcher id = ID.matcher(line);
                        while (id.find()) {
                            ids.put(id.group(1), line);
                        }
                    });
                }
            }
            return ids;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the end of its output, for error messages. */
    String outputTail() {
        return process.logTail(20);
    }
}
