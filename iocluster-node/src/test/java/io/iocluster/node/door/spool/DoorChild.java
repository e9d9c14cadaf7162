package io.iocluster.node.door.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.Main;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A door in its own process, with the memory that a sidecar has. Owned by one test. */
final class DoorChild implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("address=(http://\\S+)");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration STARTUP = Duration.ofMinutes(3);

    /** That of {@code bin/iocluster door}, without a warm-up. */
    private static final Map<String, String> ENVIRONMENT =
            Map.of("MALLOC_ARENA_MAX", "2", "IOCLUSTER_NODE_WARM_UP", "0s");

    private final JavaProcess process;
    private final Path log;
    private final URI address;

    private DoorChild(JavaProcess process, Path log) {
        this.process = process;
        this.log = log;
        this.address = URI.create(await().atMost(STARTUP)
                .pollDelay(Duration.ZERO)
                .failFast(() ->
                        assertThat(process.isAlive()).as(process.logTail(40)).isTrue())
                .until(this::addressInLog, found -> found != null));
    }

    /**
     * Starts a door and waits until it listens.
     *
     * @param log a new file
     */
    static DoorChild start(Path config, Path log) {
        JavaCommand command = new JavaCommand(
                JavaCommand.classPathFor(Main.class),
                List.of(
                        "-Xmx160m",
                        "-XX:MaxDirectMemorySize=64m",
                        "-XX:+UseSerialGC",
                        "-XX:NewRatio=9",
                        "-XX:+ExitOnOutOfMemoryError"),
                Main.class.getName(),
                List.of("door", "--config", config.toString()),
                log);
        return new DoorChild(JavaProcess.start(command, ENVIRONMENT), log);
    }

    private String addressInLog() {
        try {
            String text = Files.exists(log) ? Files.readString(log) : "";
            Matcher match = ADDRESS.matcher(text);
            return match.find() ? match.group(1) : null;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    URI uri(String path) {
        return address.resolve(path);
    }

    /** Returns the value of a metric without labels. */
    double metric(String name) {
        HttpRequest request = HttpRequest.newBuilder(uri("/metrics")).build();
        String metrics =
                CLIENT.sendAsync(request, BodyHandlers.ofString()).join().body();
        return metrics.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is missing in\n" + metrics));
    }

    /** Returns the most mebibytes of memory that the process has held, as Linux counts them. */
    long peakResidentMebibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_024)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the end of the log, for a failure message. */
    String log() {
        return process.logTail(60);
    }

    /** Sends SIGKILL. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
