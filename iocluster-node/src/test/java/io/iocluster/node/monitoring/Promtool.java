package io.iocluster.node.monitoring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs promtool, which checks rules, configurations and metrics. Stateless. */
public final class Promtool {

    private Promtool() {}

    /** The output on both streams and the exit code, which is 0 if there are no errors. */
    public record PromtoolResult(int exitCode, String output) {}

    /** Runs promtool and waits for its end. */
    public static PromtoolResult run(String... arguments) throws IOException, InterruptedException {
        return run(null, arguments);
    }

    /** Checks the response of a scrape. */
    public static PromtoolResult checkMetrics(String exposition) throws IOException, InterruptedException {
        Path file = Files.createTempFile("iocluster-metrics", ".txt");
        try {
            return run(Files.writeString(file, exposition), "check", "metrics");
        } finally {
            Files.delete(file);
        }
    }

    private static PromtoolResult run(Path input, String... arguments) throws IOException, InterruptedException {
        List<String> commandLine = new ArrayList<>(List.of("promtool"));
        commandLine.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(commandLine).redirectErrorStream(true);
        // Collecting garbage less often saves a quarter of the CPU time of the tests of rules.
        builder.environment().put("GOGC", "800");
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("promtool did not end:\n" + output);
        }
        return new PromtoolResult(process.exitValue(), output);
    }
}
