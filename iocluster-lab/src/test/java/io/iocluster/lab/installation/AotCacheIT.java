package io.iocluster.lab.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.installation.Installation.Result;
import io.iocluster.testkit.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the AOT cache of real JVMs: the newest one of this machine, and that of this test. */
class AotCacheIT {

    @TempDir
    private Path folder;

    @Test
    void theNewestJavaGetsACacheThatIsValidUntilAJarChanges() throws Exception {
        Installation installation = install();
        Map<String, String> environment = environment(newestJava(), "use", "");

        assertThat(installation.run(environment, "bin/aot-cache").output())
                .contains("the AOT cache is " + installation.home().resolve("cache"));

        Path cache = onlyCache(installation);
        requireCache(installation, newestJava(), cache);
        assertThat(runNode(installation, environment(newestJava(), "use", strictOption(cache))))
                .contains("Node started")
                .doesNotContain("[warning]", "[error]", "WARNING:");
        FileTime created = Files.getLastModifiedTime(cache);
        installation.run(environment, "bin/aot-cache");
        assertThat(Files.getLastModifiedTime(cache)).isEqualTo(created);

        Files.setLastModifiedTime(nodeJar(installation), FileTime.fromMillis(0));
        assertThat(installation.run(environment, "bin/iocluster", "version")).satisfies(AotCacheIT::assertSucceeded);
        // Shows that the options of requireCache end a JVM whose cache does not fit.
        String named = (cache.toString().endsWith(".aot") ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + cache;
        Map<String, String> stale = environment(newestJava(), "off", named + " " + strictOption(cache));
        assertThat(installation.run(stale, "bin/iocluster", "version").exitCode())
                .isNotZero();
    }

    @Test
    void aNodeCreatesOneCacheInTheBackground() throws Exception {
        Installation installation = install();
        Path java = Path.of(System.getProperty("java.home"));
        Map<String, String> environment = environment(java, "on", "-XX:TieredStopAtLevel=1");
        environment.put("IOCLUSTER_AOT_CACHE_DELAY", "0");
        Path log = folder.resolve("first.log");

        Process node = installation.start(environment, log, "bin/iocluster", "run", "--config", config());
        try {
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> !leftovers(installation).isEmpty());
            // As a second node does, while the first one records.
            assertThat(installation.run(environment, "bin/aot-cache", "--behind", Long.toString(node.pid())))
                    .isEqualTo(new Result(0, ""));
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> !caches(installation).isEmpty());
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> leftovers(installation).isEmpty());
        } finally {
            node.destroy();
            node.waitFor();
        }

        assertThat(Files.readString(log)).contains("Node started").doesNotContain("[warning]", "[error]", "WARNING:");
        requireCache(installation, java, onlyCache(installation));
    }

    @Test
    void aNodeThatHasEndedGetsNoCache() throws Exception {
        Installation installation = new Installation(folder);
        Map<String, String> environment = environment(newestJava(), "on", "");
        environment.put("IOCLUSTER_AOT_CACHE_DELAY", "0");
        long ended = pidOfEndedProcess();

        Result result = installation.run(environment, "bin/aot-cache", "--behind", Long.toString(ended));

        assertThat(result).isEqualTo(new Result(0, ""));
        assertThat(installation.home().resolve("cache")).doesNotExist();
    }

    /** Installs a node whose recording warms up for a second only, and compiles little. A longer one would record more profiles. */
    private Installation install() throws IOException {
        Installation installation = new Installation(folder).withJars();
        Path script = installation.home().resolve("bin/aot-cache");
        String text = Files.readString(script);
        assertThat(text).contains("warm-up: 30s", "-XX:-AlwaysPreTouch");
        Files.writeString(
                script,
                text.replace("warm-up: 30s", "warm-up: 1s")
                        .replace("-XX:-AlwaysPreTouch", "-XX:-AlwaysPreTouch -XX:TieredStopAtLevel=1"));
        return installation;
    }

    /** Starts a command with an option that ends the JVM if it cannot use its cache. */
    private static void requireCache(Installation installation, Path javaHome, Path cache) throws Exception {
        Map<String, String> strict = environment(javaHome, "use", strictOption(cache));

        assertThat(installation.run(strict, "bin/iocluster", "version")).satisfies(AotCacheIT::assertSucceeded);
    }

    private static Path newestJava() throws Exception {
        Process process = new ProcessBuilder("bash", "-c", "unset JAVA_HOME; . ../bin/lib/env.sh; find_newest_java")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return Path.of(new String(process.getInputStream().readAllBytes()).trim());
    }

    private static long pidOfEndedProcess() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }

    /** Runs a node until it has started, and returns its log. */
    private String runNode(Installation installation, Map<String, String> environment) throws Exception {
        Path log = folder.resolve("node.log");
        Process node = installation.start(environment, log, "bin/iocluster", "run", "--config", config());
        try {
            await().atMost(Duration.ofMinutes(3))
                    .failFast(() -> !node.isAlive())
                    .until(() -> Files.readString(log).contains("Node started"));
        } finally {
            node.destroy();
            node.waitFor();
        }
        return Files.readString(log);
    }

    private String config() throws IOException {
        return Files.writeString(folder.resolve("node.yaml"), """
                kafka: {bootstrap-servers: "127.0.0.1:%d"}
                admin: {port: 0}
                node: {id: cached, warm-up: 0s}
                """.formatted(FreePorts.find(1)[0]))
                .toString();
    }

    private static Map<String, String> environment(Path javaHome, String cache, String options) {
        Map<String, String> environment = new HashMap<>();
        environment.put("JAVA_HOME", javaHome.toString());
        environment.put("IOCLUSTER_AOT_CACHE", cache);
        environment.put("IOCLUSTER_JAVA_OPTS", "-Xmx256m " + options);
        return environment;
    }

    private static String strictOption(Path cache) {
        return cache.toString().endsWith(".aot") ? "-XX:AOTMode=on" : "-Xshare:on";
    }

    private static void assertSucceeded(Result result) {
        assertThat(result.output()).startsWith("iocluster ").hasLineCount(1);
        assertThat(result.exitCode()).isZero();
    }

    private static Path onlyCache(Installation installation) {
        assertThat(caches(installation)).hasSize(1);
        return caches(installation).get(0);
    }

    private static List<Path> caches(Installation installation) {
        return files(installation)
                .filter(file -> file.getFileName().toString().startsWith("java-"))
                .toList();
    }

    private static List<Path> leftovers(Installation installation) {
        return files(installation)
                .filter(file -> file.getFileName().toString().startsWith("new."))
                .toList();
    }

    private static Stream<Path> files(Installation installation) {
        Path cache = installation.home().resolve("cache");
        try (Stream<Path> files = Files.exists(cache) ? Files.list(cache) : Stream.empty()) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path nodeJar(Installation installation) throws IOException {
        try (Stream<Path> jars = Files.list(installation.home().resolve("lib"))) {
            return jars.filter(jar -> jar.getFileName().toString().startsWith("iocluster-node-"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
