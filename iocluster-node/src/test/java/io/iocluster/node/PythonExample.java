package io.iocluster.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs of {@code examples/python}, with what they need installed below {@code target} if it is not there yet. */
final class PythonExample {

    private static final Path EXAMPLE =
            Path.of(System.getProperty("basedir", ".")).resolve("../examples/python");
    private static final Path ENVIRONMENT = Path.of("target", "python-example").toAbsolutePath();

    private PythonExample() {}

    /** What the program prints; fails unless it ends with 0. */
    static String run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> installation = new ArrayList<>(List.of("bash", "../bin/lib/python.sh", ENVIRONMENT.toString()));
        installation.addAll(Files.readAllLines(EXAMPLE.resolve("requirements.txt")));
        output(installation);
        List<String> line = new ArrayList<>(List.of(
                ENVIRONMENT.resolve("bin/python").toString(),
                EXAMPLE.resolve(program).toString()));
        line.addAll(List.of(arguments));
        return output(line);
    }

    private static String output(List<String> line) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(String.join(" ", line) + " ended with " + process.exitValue() + ":\n" + output);
        }
        return output;
    }
}
