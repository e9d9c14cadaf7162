package io.iocluster.node.chaos.node;

import static io.iocluster.node.chaos.node.ChaosSettings.MAX_IN_FLIGHT;
import static io.iocluster.node.chaos.node.ChaosSettings.THREADS;

import io.iocluster.node.NodeProcess;
import io.iocluster.testkit.chaos.ConfigurationEdit;
import io.iocluster.testkit.chaos.invariant.IdleNodeStatus;
import io.iocluster.testkit.process.FixedWait;
import io.iocluster.testkit.process.SteppableClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A node that faults hit, one after the other. It is restarted after each fault that ends it. A node that ends by
 * itself is not restarted, so that the run fails. Thread-safe.
 */
public final class ChaosNode implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(2);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String id;
    private final String configuration;
    private final Path file;
    private final Path folder;
    private final SteppableClock clock;
    private int starts;
    private Path log;
    private NodeProcess process;
    private boolean endedByItself;

    /**
     * Starts the node.
     *
     * @param folder takes its configuration and a log for each start
     */
    public ChaosNode(String id, String configuration, Path folder) {
        this.id = id;
        this.configuration = configuration;
        this.file = folder.resolve(id + ".yaml");
        this.folder = folder;
        this.clock = new SteppableClock(folder.resolve(id + ".clock"));
        write(configuration);
        start();
    }

    public synchronized void awaitReady() {
        process.awaitReady();
    }

    public synchronized void kill(int awayMillis) {
        noticeItsEnd();
        close();
        FixedWait.millis(awayMillis);
        restart();
    }

    public synchronized void terminate() {
        noticeItsEnd();
        if (!endedByItself) {
            process.terminate(LONG);
            restart();
        }
    }

    /** Ends the node with SIGTERM and does not restart it. */
    public synchronized void leave() {
        process.terminate(LONG);
    }

    public synchronized void suspend(int millis) {
        process.suspend();
        FixedWait.millis(millis);
        process.resume();
    }

    /**
     * Steps its wall clock, and steps it back after a time. Returns when the clock shows times that it has not shown
     * before, because the timers of Kafka's clients stand still until then.
     */
    public synchronized void stepClock(int offsetMillis, int millis) {
        clock.setOffset(Duration.ofMillis(offsetMillis));
        FixedWait.millis(millis);
        clock.setOffset(Duration.ZERO);
        FixedWait.millis((int) SteppableClock.STEP_WITHIN.toMillis() + Math.max(0, offsetMillis));
    }

    public synchronized void resize(int threads, int maxInFlight) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(process.adminUrl() + "/api/workers"))
                .method(
                        "PATCH",
                        BodyPublishers.ofString(
                                "{\"threads\": " + threads + ", \"max-in-flight\": " + maxInFlight + "}"))
                .header("Content-Type", "application/json")
                .timeout(LONG)
                .build();
        int status = CLIENT.send(request, BodyHandlers.discarding()).statusCode();
        if (status != 200) {
            throw new IOException("PATCH /api/workers was answered with " + status);
        }
    }

    public synchronized void edit(ConfigurationEdit edit) {
        write(edit.apply(configuration));
    }

    /** Undoes edits and resizes. */
    public synchronized void restore() throws IOException, InterruptedException {
        write(configuration);
        resize(THREADS, MAX_IN_FLIGHT);
    }

    /** Writes a line into its log, so that a reader finds the run. */
    public synchronized void mark(String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the node's own report; not ready if it does not answer. */
    public synchronized IdleNodeStatus atRest() {
        noticeItsEnd();
        if (endedByItself) {
            return new IdleNodeStatus(id + " (ended by itself)", false, Map.of());
        }
        try {
            boolean ready = process.get("/readyz").statusCode() == 200;
            return new IdleNodeStatus(
                    id,
                    ready,
                    AdminCounters.of(
                            process.get("/api/status").body(),
                            process.get("/api/destinations").body()));
        } catch (IOException unreachable) {
            return new IdleNodeStatus(id + " (" + unreachable + ")", false, Map.of());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new IdleNodeStatus(id, false, Map.of());
        }
    }

    @Override
    public synchronized void close() {
        process.close();
        SteppableClock.deleteSharedMemory(process.pid());
    }

    private void noticeItsEnd() {
        endedByItself |= !process.isAlive();
    }

    private void restart() {
        if (!endedByItself) {
            start();
        }
    }

    private void start() {
        do {
            log = folder.resolve(id + "-" + ++starts + ".log");
        } while (Files.exists(log));
        process = NodeProcess.start(List.of(), clock.environment(), file, log);
    }

    private void write(String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
