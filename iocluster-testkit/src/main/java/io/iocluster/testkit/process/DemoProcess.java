package io.iocluster.testkit.process;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code bin/iocluster demo --keep} starts: a broker, a target and a node that has made some calls. Whoever starts one has
 * iocluster-node on the class path. Owned by one test, or by one class of them.
 */
public final class DemoProcess implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(30);

    private final TempDirectory folder = new TempDirectory("demo");
    private final JavaProcess process;

    private DemoProcess(String transport) {
        process = JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx384m", "-Djava.io.tmpdir=" + folder.path()),
                "io.iocluster.node.Main",
                List.of("demo", "--transport", transport, "--requests", "500", "--keep"),
                folder.resolve("demo.log")));
    }

    /**
     * Starts it and returns when it is up.
     *
     * @param transport {@code kafka} or {@code rabbit}
     */
    public static DemoProcess start(String transport) {
        DemoProcess demo = new DemoProcess(transport);
        try {
            await().atMost(START)
                    .failFast("the demo ended", () -> !demo.process.isAlive())
                    .until(() -> demo.log().contains("console http"));
            return demo;
        } catch (RuntimeException failed) {
            AssertionError said = new AssertionError("the demo is not up:\n" + demo.log(), failed);
            demo.close();
            throw said;
        }
    }

    /** Where clients connect: what {@code bootstrap.servers} takes, or a URI. */
    public String brokerAddress() {
        return said("broker");
    }

    /** A URL that answers 200. */
    public String targetUrl() {
        return said("target");
    }

    private String said(String what) {
        Matcher line =
                Pattern.compile("^" + what + " +(\\S+)$", Pattern.MULTILINE).matcher(log());
        if (!line.find()) {
            throw new AssertionError("the demo does not say its " + what + ":\n" + log());
        }
        return line.group(1);
    }

    private String log() {
        return process.logTail(1_000);
    }

    @Override
    public void close() {
        process.terminate(END);
        folder.close();
    }
}
