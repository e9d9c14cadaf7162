package io.iocluster.testkit.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The manifests that the Helm chart renders. {@code bin/chart} checks and writes them. Thread-safe. */
public final class RenderedChart {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..");

    private RenderedChart() {}

    /**
     * Returns a folder with a file {@code KIND-NAME.yaml} for each object. Renders the chart if its sources have changed.
     *
     * @param name a case of {@code charts/tests/cases.yaml}
     */
    public static Path folder(String name) {
        try {
            Process script = new ProcessBuilder(
                            "bash", PROJECT.resolve("bin/chart").toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (script.waitFor() != 0) {
                throw new AssertionError("bin/chart failed:\n" + output);
            }
        } catch (IOException e) {
            throw new AssertionError("bin/chart could not be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while bin/chart renders the chart", e);
        }
        return PROJECT.resolve("target/chart").resolve(name);
    }
}
