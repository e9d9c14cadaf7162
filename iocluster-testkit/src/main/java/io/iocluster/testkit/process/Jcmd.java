package io.iocluster.testkit.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs commands in other JVMs with the tool {@code jcmd} of this JDK. */
public final class Jcmd {

    private Jcmd() {}

    /**
     * Runs a command, waits for its end and returns its output.
     *
     * @param pid the process of the other JVM
     * @param command the command and its arguments; its output must be short
     * @throws IOException if the command fails or does not end in time
     */
    public static String run(long pid, Duration within, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid)));
        all.addAll(List.of(command));
        Process jcmd = new ProcessBuilder(all).redirectErrorStream(true).start();
        if (!jcmd.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
            jcmd.destroyForcibly();
            throw new IOException("jcmd did not end within " + within.toSeconds() + " s");
        }
        String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (jcmd.exitValue() != 0) {
            throw new IOException("jcmd failed: " + output);
        }
        return output;
    }
}
