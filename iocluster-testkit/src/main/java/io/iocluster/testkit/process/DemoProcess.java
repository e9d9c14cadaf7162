package io.iocluster.testkit.process;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The demo of {@code bin/iocluster demo --keep} as a child process: a broker, a target and a node that has made some
 * calls. Requires iocluster-lab on the class path. Owned by one test or test class; not thread-safe.
 */
public final class DemoProcess implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(5);
    private static final Duration SHUTDOWN = Duration.ofSeconds(30);

    private final TempDirectory folder = new TempDirectory("demo");
    private final JavaProcess process;

    private DemoProcess(String transport) {
        process = JavaProcess.start(new JavaCommand(
                JavaCommand.classPathFor(DemoProcess.class),
                List.of("-Xmx384m", "-Djava.io.tmpdir=" + folder.path()),
                "io.iocluster.node.Main",
                List.of("demo", "--transport", transport, "--requests", "500", "--keep"),
                folder.resolve("demo.log")));
    }

    /**
     * Starts the demo and returns when it is ready.
     *
     * @param transport {@code kafka} or {@code rabbit}
     */
    public static DemoProcess start(String transport) {
        DemoProcess demo = new DemoProcess(transport);
        try {
            await().atMost(STARTUP)
                    .failFast("the demo ended", () -> !demo.process.isAlive())
                    .until(() -> demo.log().contains("console http"));
            return demo;
        } catch (RuntimeException failed) {
            AssertionError error = new AssertionError("the demo did not start:\n" + demo.log(), failed);
            demo.close();
            throw error;
        }
    }

    /** Returns the broker's address: the value of {@code bootstrap.servers}, or a URI. */
    public String brokerAddress() {
        Matcher line = Pattern.compile("^broker +(\\S+)$", Pattern.MULTILINE).matcher(log());
        if (!line.find()) {
            throw new AssertionError("the demo did not print its broker:\n" + log());
        }
        return line.group(1);
    }

    private String log() {
        return process.logTail(1_000);
    }

    @Override
    public void close() {
        process.terminate(SHUTDOWN);
        folder.close();
    }
}
