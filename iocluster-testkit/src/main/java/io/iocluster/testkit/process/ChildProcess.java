package io.iocluster.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child process that ends with this process: by a shutdown hook or, if this process is killed, by a parent monitor
 * that each subclass provides. Owned by its creator; not thread-safe.
 */
public abstract sealed class ChildProcess implements AutoCloseable permits JavaProcess, NativeProcess {

    private final Process process;
    private final Path log;
    private final Thread hook;

    ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.hook = new Thread(process::destroyForcibly, "kill-" + process.pid());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the exit code of a process that has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** Waits for the process to exit. Returns whether it did within the timeout. */
    public boolean awaitExit(Duration timeout) {
        try {
            return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Sends SIGTERM, and SIGKILL if the process has not ended within the timeout. */
    public void terminate(Duration timeout) {
        // Process.destroy would also close the pipe of NativeProcess's parent monitor, which then kills the child.
        process.toHandle().destroy();
        if (!awaitExit(timeout)) {
            kill();
        }
        unhook();
    }

    /** Sends SIGKILL and waits for the process to end. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(10));
        unhook();
    }

    /** Sends SIGSTOP: the process keeps its sockets and does nothing. */
    public void suspend() {
        signal("STOP");
    }

    /** Sends SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** Returns the last lines of the log, for error messages. */
    public String logTail(int lines) {
        try {
            // Decoded leniently, because a killed child may have written half a character.
            List<String> all = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + name + " " + pid() + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void unhook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook is already running.
        }
    }
}
