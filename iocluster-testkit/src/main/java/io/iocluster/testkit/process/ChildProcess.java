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
 * A child that ends with this process, by a shutdown hook or, if this process is killed, by a leash of its own kind. Owned by
 * whoever started it; not safe for several threads.
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

    /** The exit code of a process that has ended. */
    public int exitCode() {
        return process.exitValue();
    }

    /** Waits for the process to end by itself. */
    public boolean awaitExit(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** SIGTERM, and SIGKILL if it takes longer than allowed. */
    public void terminate(Duration within) {
        // By its handle: the process object would close the pipe of a leash as well.
        process.toHandle().destroy();
        if (!awaitExit(within)) {
            kill();
        }
        unhook();
    }

    /** SIGKILL. Returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(10));
        unhook();
    }

    /** SIGSTOP: it keeps its sockets and does nothing. */
    public void suspend() {
        signal("STOP");
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** The last lines of its log, for a failure's message. */
    public String logTail(int lines) {
        try {
            // Decoded leniently, as a child that was killed may have left half a character.
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
            // The hook runs already.
        }
    }
}
