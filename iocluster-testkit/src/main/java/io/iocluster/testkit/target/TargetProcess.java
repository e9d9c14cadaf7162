package io.iocluster.testkit.target;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@link TargetServer} in a child JVM, so that it does not affect heap and pauses of the measuring JVM. Thread-safe.
 */
public final class TargetProcess implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofSeconds(30);

    private final TempDirectory folder;
    private final JavaProcess process;
    private final String host;
    private final int port;
    private final HttpClient client = HttpClient.newHttpClient();

    private TargetProcess(TempDirectory folder, JavaProcess process, String host, int port) {
        this.folder = folder;
        this.process = process;
        this.host = host;
        this.port = port;
    }

    /**
     * Starts a target and returns when it listens. If {@code detailed} is true, the fast path is disabled for {@code
     * /ok}.
     */
    public static TargetProcess start(int threads, boolean detailed) {
        return start(TargetServer.LOOPBACK, threads, detailed);
    }

    /** Starts a target like {@link #start(int, boolean)}, on another loopback address, to simulate another host. */
    public static TargetProcess start(String host, int threads, boolean detailed) {
        TempDirectory folder = new TempDirectory("target");
        Path portFile = folder.resolve("port");
        JavaProcess process = JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx256m", "-XX:+UseSerialGC", JavaCommand.QUIET_LOGGING_FLAG),
                TargetMain.class.getName(),
                List.of(host, Integer.toString(threads), detailed ? "detailed" : "totals", portFile.toString()),
                folder.resolve("target.log")));
        long end = System.nanoTime() + STARTUP.toNanos();
        while (!Files.exists(portFile)) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                String log = process.logTail(40);
                process.kill();
                folder.close();
                throw new IllegalStateException("the target did not start:\n" + log);
            }
            LockSupport.parkNanos(20_000_000);
        }
        try {
            return new TargetProcess(folder, process, host, Integer.parseInt(Files.readString(portFile)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the URL of a path; the path starts with a slash. */
    public String url(String path) {
        return "http://" + host + ":" + port + path;
    }

    /** Returns total requests, open requests and peak open requests as JSON. */
    public String totalsJson() {
        return get("/ledger/totals");
    }

    /** Clears the request log. */
    public void resetRequestLog() {
        get("/ledger/reset");
    }

    /** Sets the fault of the whole target, which replaces an earlier one. */
    public void setFault(TargetFault fault) {
        get(fault.path());
    }

    /** Ends the fault of the whole target, if there is one. */
    public void clearFault() {
        get("/fault/clear");
    }

    @Override
    public void close() {
        process.kill();
        folder.close();
    }

    private String get(String path) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url(path))).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
