package io.iocluster.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class DoorCommandTest {

    private static final Pattern ADDRESS = Pattern.compile("address=http://127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "65536, --port must be from 0 to 65535: 65536",
        "-1, --port must be from 0 to 65535: -1",
        "http, Invalid value for option '--port'"
    })
    void refusesAnInvalidPort(String port, String error) {
        CommandRun run = run("door", "--local", "--port", port);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(error);
    }

    @Test
    void reportsThatThePortIsInUse() throws IOException {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            CommandRun run = run("door", "--local", "--port", Integer.toString(used.getLocalPort()));

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("iocluster: door cannot listen on 127.0.0.1:" + used.getLocalPort());
        }
    }

    @Test
    void reportsEveryErrorOfTheConfiguration() throws IOException {
        CommandRun run = run("door", "--config", config("door: {host: 0.0.0.0, limits: {max-in-flight: 0}}"));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().lines())
                .anyMatch(line -> line.startsWith("door.limits.max-in-flight must be from 1"))
                .noneMatch(line -> line.contains("internal error"));
    }

    @Test
    void reportsAMissingFile() {
        CommandRun run = run("door", "--config", folder.resolve("missing.yaml").toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("missing.yaml");
    }

    @Test
    void reportsThatTheBrokerIsUnreachable() throws IOException {
        CommandRun run = run("door", "--config", config("""
                transport: rabbit
                rabbit: {uris: ['amqp://127.0.0.1:1']}
                door: {transport: queue, port: 0}
                """));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).startsWith("iocluster: ").doesNotContain("internal error");
    }

    @Test
    void runsLocallyWithoutAConfigurationAndExitsWithZeroOnSigterm() throws Exception {
        Process process = start("--local", "--port", "0");
        try (BufferedReader log = log(process)) {
            int port = port(log);
            var response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/calls"))
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString("{\"url\": \"http://127.0.0.1:1/\"}"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(response.body()).contains("\"port-not-allowed\"");

            // Process.destroy would also close the log.
            process.toHandle().destroy();
            assertThat(log.lines().anyMatch(line -> line.contains("Drain finished")))
                    .isTrue();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void exitsWithOneIfACallDoesNotEndInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Process process = start(
                    "--port",
                    "0",
                    "--local",
                    "--config",
                    config("shutdown: {drain-timeout: 100ms}\negress: {ports: [], allow-networks: [127.0.0.0/8]}"));
            try (BufferedReader log = log(process)) {
                int port = port(log);
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/calls"))
                                        .header("Content-Type", "application/json")
                                        .header("Prefer", "respond-async")
                                        .POST(BodyPublishers.ofString(
                                                "{\"url\": \"http://127.0.0.1:" + silent.getLocalPort()
                                                        + "/\", \"timeoutMs\": 300000, \"deadlineMs\": 300000}"))
                                        .build(),
                                BodyHandlers.ofString());

                process.toHandle().destroy();
                assertThat(log.lines().anyMatch(line -> line.contains("Drain timed out")))
                        .isTrue();
                assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(process.exitValue()).isEqualTo(1);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static int port(BufferedReader log) throws IOException {
        for (String line = log.readLine(); line != null; line = log.readLine()) {
            Matcher address = ADDRESS.matcher(line);
            if (line.contains("Door started") && address.find()) {
                return Integer.parseInt(address.group(1));
            }
        }
        throw new AssertionError("the door did not start");
    }

    private static Process start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.iocluster.node.Main",
                "door"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // A thread that reads the log of a process cannot be interrupted.
        CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(process::destroyForcibly);
        return process;
    }

    private static BufferedReader log(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private String config(String yaml) throws IOException {
        return Files.writeString(folder.resolve("door.yaml"), yaml).toString();
    }

    private static CommandRun run(String... arguments) {
        return CommandRun.of("", Map.of(), arguments);
    }
}
