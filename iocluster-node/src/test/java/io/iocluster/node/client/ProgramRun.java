package io.iocluster.node.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The exit code and output of another program. */
record ProgramRun(int code, String out, String err) {

    /** A running program. Owned by one test. */
    record StartedProgram(List<String> commandLine, Process process, Path out, Path err) {

        /** Waits until it exits. */
        ProgramRun await() throws IOException, InterruptedException {
            if (!process.waitFor(4, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", commandLine) + " does not exit:\n" + Files.readString(err));
            }
            return new ProgramRun(process.exitValue(), Files.readString(out), Files.readString(err));
        }
    }

    /** Starts the program and returns at once. Its output goes to files in the folder. */
    static StartedProgram start(List<String> commandLine, Path folder) throws IOException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Process process = new ProcessBuilder(commandLine)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new StartedProgram(commandLine, process, out, err);
    }
}
