package io.iocluster.node.cli.tap;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.testkit.process.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TapCommandTest {

    private static final Map<String, String> TOKEN = Map.of("IOCLUSTER_ADMIN_TOKEN", "t0ken");

    private final AdminFixture fixture = new AdminFixture("admin: {port: 0, token: t0ken, tap: {max-taps: 1}}\n"
            + "destinations: [{match: [127.0.0.1], name: partner}]");

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void printsCallsUntilTheCountAndThenHowManyThereWere() throws Exception {
        CommandRun run = tapWhileCallsFail("tap", "--count", "2", "--rate", "100/s");

        List<String> lines = run.out().lines().toList();
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).matches("TIME +NODE +DESTINATION +RESULT +TRIES +TOTAL +CALL +ID");
        assertThat(lines.get(1))
                .matches(
                        "\\d\\d:\\d\\d:\\d\\d\\.\\d{3} .* partner +connect-refused +1 .* GET http://127.0.0.1:1/p\\?secret=\\*\\*\\*"
                                + " +bad\\\\u\\{1b}\\\\u\\{9b}");
        assertThat(run.err()).matches("shown 2, skipped \\d+ because of --rate, dropped 0\n");
    }

    @Test
    void printsJson() throws Exception {
        CommandRun run = tapWhileCallsFail(
                "tap", "--json", "--count", "1", "--code", "connect-refused", "--destination", "part*");

        JsonNode call = JsonMapper.shared().readTree(run.out());
        assertThat(run.out().lines()).hasSize(1);
        assertThat(call.path("code").asString()).isEqualTo("connect-refused");
        assertThat(call.path("admin").asString()).isEqualTo(fixture.uri("").getAuthority());
    }

    @Test
    void endsAfterTheDurationAlsoIfNothingMatches() throws Exception {
        CommandRun run = tapWhileCallsFail("tap", "--duration", "300ms", "--outcome", "expired");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEqualTo("shown 0, skipped 0 because of --rate, dropped 0\n");
    }

    @Test
    void printsNoControlCharacterInJson() throws Exception {
        CommandRun run = tapWhileCallsFail("tap", "--json", "--count", "1", "--id", "bad*");

        assertThat(run.out()).contains("bad\\u001B\\u009B").matches("[\\x20-\\x7e]+\n");
    }

    @Test
    void refusesACountOfNothing() {
        CommandRun run = run(TOKEN, "tap", "--count", "0");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--count must be at least 1");
    }

    @Test
    void reportsRefusalsAndNodesThatDoNotAnswer() {
        String closed = "http://127.0.0.1:" + FreePorts.find(1)[0];

        assertThat(run(Map.of(), "tap").err()).contains(" needs admin.token");
        assertThat(run(TOKEN, "tap", "--code", "slow").err()).contains("answers 400: code must be a status");
        CommandRun unreachable = CommandRun.of("", TOKEN, "tap", "--admin", closed);
        assertThat(unreachable.code()).isEqualTo(1);
        assertThat(unreachable.err()).contains(closed + " cannot be reached");
        assertThat(unreachable.out()).isEmpty();
    }

    @Test
    void reportsANodeThatEndsTheConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> node = CompletableFuture.runAsync(() -> sendOneLineAndClose(server));

            CommandRun run = CommandRun.of("", Map.of(), "tap", "--admin", "127.0.0.1:" + server.getLocalPort());

            node.get(1, TimeUnit.MINUTES);
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).contains("call-1");
            assertThat(run.err()).contains("127.0.0.1:" + server.getLocalPort() + " ended the tap: ");
        }
    }

    private static void sendOneLineAndClose(ServerSocket server) {
        String line = "{\"id\": \"call-1\", \"code\": null, \"url\": null}\n";
        try (Socket client = server.accept()) {
            BufferedReader request = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
            while (!request.readLine().isEmpty()) {
                // The headers of the request.
            }
            client.getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(line.length())
                                    + "\r\n" + line + "\r\n")
                            .getBytes(US_ASCII));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Runs the command beside calls that fail. */
    private CommandRun tapWhileCallsFail(String... command) throws Exception {
        CompletableFuture<CommandRun> tap = CompletableFuture.supplyAsync(() -> run(TOKEN, command));
        while (!tap.isDone()) {
            fixture.fail("bad\\u001b\\u009b");
        }
        return tap.get(1, TimeUnit.MINUTES);
    }

    private CommandRun run(Map<String, String> environment, String... command) {
        String[] whole = Stream.concat(
                        Stream.of(command), Stream.of("--admin", fixture.uri("").toString()))
                .toArray(String[]::new);
        return CommandRun.of("", environment, whole);
    }
}
