package io.iocluster.lab.installation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A folder with the scripts and options of a distribution, and a home folder for the user that starts them. Owned by one test; not
 * thread-safe.
 */
public final class Installation {

    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .normalize()
            .getParent();

    private static final long LONGEST_RUN_MINUTES = 10;

    private final Path home;
    private final Path userHome;

    /** The exit code of a script, and what it wrote to standard output and error. */
    public record Result(int exitCode, String output) {}

    public Installation(Path folder) {
        home = folder.resolve("iocluster");
        userHome = folder.resolve("user");
        try {
            Files.createDirectories(home.resolve("bin/lib"));
            Files.createDirectories(home.resolve("conf"));
            Files.createDirectories(home.resolve("lib"));
            Files.createDirectories(userHome);
            for (String file : List.of("bin/iocluster", "bin/aot-cache", "bin/lib/env.sh", "bin/lib/aot-cache.sh")) {
                copy(PROJECT.resolve(file), home.resolve(file));
            }
            try (Stream<Path> options = Files.list(PROJECT.resolve("iocluster-dist/src/dist/conf"))) {
                options.forEach(file -> copy(file, home.resolve("conf").resolve(file.getFileName())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies the jars of this JVM's class path, which has the node and its libraries. */
    public Installation withJars() {
        for (String entry : System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(":")) {
            if (entry.endsWith(".jar")) {
                Path jar = Path.of(entry);
                copy(jar, home.resolve("lib").resolve(jar.getFileName()));
            }
        }
        return this;
    }

    /** Copies a script of the clone to the same place. */
    Installation with(String script) throws IOException {
        Path copy = home.resolve(script);
        Files.createDirectories(copy.getParent());
        copy(PROJECT.resolve(script), copy);
        return this;
    }

    public Path home() {
        return home;
    }

    Path userHome() {
        return userHome;
    }

    /**
     * Creates a Java home in the folder of SDKMAN. Its {@code java} prints its command line.
     *
     * @param exitCode of {@code java -version}
     */
    Path fakeJava(String version, int exitCode) throws IOException {
        Path javaHome = userHome.resolve(".sdkman/candidates/java").resolve(version);
        Path java = javaHome.resolve("bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(javaHome.resolve("release"), "IMPLEMENTOR=\"Test\"\nJAVA_VERSION=\"" + version + "\"\n");
        Files.writeString(java, "#!/bin/sh\n[ \"$1\" != -version ] || exit " + exitCode + "\necho \"$0\" \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return javaHome;
    }

    /** Runs a script with these variables and {@code PATH}, and waits for its end. */
    public Result run(Map<String, String> environment, String script, String... arguments) throws Exception {
        Path output = Files.createTempFile(userHome, "output", ".txt");
        Process process = start(environment, output, script, arguments);
        try {
            if (!process.waitFor(LONGEST_RUN_MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError(script + " did not end:\n" + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Starts a script with these variables and {@code PATH}. */
    Process start(Map<String, String> environment, Path output, String script, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("bash", home.resolve(script).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().keySet().retainAll(List.of("PATH"));
        builder.environment().put("HOME", userHome.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
