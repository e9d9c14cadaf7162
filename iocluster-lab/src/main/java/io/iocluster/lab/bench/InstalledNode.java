package io.iocluster.lab.bench;

import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Starts a node as a user does: with {@code bin/iocluster} of a distribution, on the JVM of the benchmark. The script adds the node's
 * JVM options and, if there is one, the AOT cache.
 *
 * @param home the folder of the distribution
 */
record InstalledNode(Path home) {

    private static final List<String> CACHE_OPTIONS = List.of("-XX:AOTCache=", "-XX:SharedArchiveFile=");

    /** Starts the node and returns at once. The JVM options of the benchmark come after those of the script. */
    RunningSubject start(SubjectSetup setup, BenchOptions options) {
        TempDirectory folder = new TempDirectory("bench-installed");
        Path config = setup.writeNodeConfig(options, folder);
        List<String> command = new ArrayList<>(
                List.of("bash", home.resolve("bin/iocluster").toString(), "run", "--config", config.toString()));
        command.addAll(options.nodeArgs);
        NativeProcess process = NativeProcess.start(
                new NativeCommand(command, environment(options, folder), folder.resolve("subject.log")));
        return new RunningSubject(Subject.NODE, process, folder);
    }

    private static Map<String, String> environment(BenchOptions options, TempDirectory folder) {
        List<String> jvmOptions = new ArrayList<>(options.jvmArgs);
        // The script passes the node's files of options.
        jvmOptions.removeIf(option -> option.startsWith("@"));
        jvmOptions.add(RunningSubject.gcLogOption(folder));
        Map<String, String> environment = new HashMap<>();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", System.getProperty("user.home"));
        // A missing cache would otherwise be recorded during the measurement.
        environment.put("IOCLUSTER_AOT_CACHE", "use");
        environment.put("IOCLUSTER_JAVA_OPTS", String.join(" ", jvmOptions));
        return environment;
    }

    /** Returns the size of the cache that a running node uses, in bytes; 0 if it uses none. */
    static long cacheBytes(RunningSubject running) {
        try (Stream<String> arguments = running.meter().arguments().stream()) {
            return arguments
                    .flatMap(InstalledNode::cacheFile)
                    .findFirst()
                    .map(InstalledNode::size)
                    .orElse(0L);
        }
    }

    private static Stream<Path> cacheFile(String argument) {
        return CACHE_OPTIONS.stream()
                .filter(argument::startsWith)
                .map(option -> Path.of(argument.substring(option.length())));
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
