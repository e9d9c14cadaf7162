package io.iocluster.lab.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.iocluster.lab.installation.Installation.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the JVM and the options with which {@code bin/iocluster} starts. The JVMs are scripts that print their command line. */
class StartScriptTest {

    private static final Map<String, String> NO_CACHE = Map.of("IOCLUSTER_AOT_CACHE", "off");

    @TempDir
    private Path folder;

    private Installation installation;

    @BeforeEach
    void install() throws IOException {
        installation = new Installation(folder);
        Files.createFile(installation.home().resolve("lib/node.jar"));
    }

    @Test
    void prefersTheNewestJavaThatStarts() throws Exception {
        Path newest = installation.fakeJava("900.0.1", 0);
        installation.fakeJava("99.0.2", 0);
        installation.fakeJava("901", 1);

        assertThat(run(NO_CACHE, "run")).startsWith(newest + "/bin/java ");
    }

    @Test
    void prefersJavaHome() throws Exception {
        installation.fakeJava("900", 0);
        Path chosen = installation.fakeJava("17.0.21.1", 0);

        assertThat(run(javaHome(chosen), "run")).startsWith(chosen + "/bin/java ");
    }

    @Test
    void saysThatJavaHomeIsTooOld() throws Exception {
        Path newest = installation.fakeJava("900", 0);
        Path old = installation.fakeJava("1.8.0_402", 0);

        assertThat(run(javaHome(old), "run"))
                .startsWith("iocluster: JAVA_HOME=" + old + " has no java of version 17 or newer;")
                .contains("\n" + newest + "/bin/java ");
    }

    @Test
    void onlyJava25GetsTheOptionsOfJava25() throws Exception {
        String common = "@" + installation.home() + "/conf/jvm.options";
        String newer = "@" + installation.home() + "/conf/jvm-25.options";

        assertThat(run(javaHome(installation.fakeJava("17.0.1", 0)), "run"))
                .contains(common)
                .doesNotContain(newer);
        assertThat(run(javaHome(installation.fakeJava("25.0.1", 0)), "run")).contains(common + " " + newer);
    }

    @Test
    void buildsAnExampleWithoutTestsAndRunsIt() throws Exception {
        Path java = installation.with("examples/run").fakeJava("17.0.1", 0);
        Files.copy(java.resolve("bin/java"), java.resolve("bin/javac"), StandardCopyOption.COPY_ATTRIBUTES);
        Path classPath = Path.of("examples/attribution/target/runtime-classpath.txt");
        Path maven = Files.createDirectories(folder.resolve("maven")).resolve("mvn");
        Files.writeString(
                maven,
                "#!/bin/sh\ncase \"$*\" in *-Dmaven.test.skip*) ;; *) exit 1 ;; esac\nmkdir -p " + classPath.getParent()
                        + "\necho library.jar >" + classPath + "\n");
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwxr-xr-x"));

        Map<String, String> environment =
                Map.of("JAVA_HOME", java.toString(), "PATH", maven.getParent() + ":" + System.getenv("PATH"));
        Result result = installation.run(environment, "examples/run", "attribution", "127.0.0.1:9092");

        assertThat(result.output())
                .contains(" -cp " + installation.home().resolve("examples/attribution/target/classes") + ":library.jar")
                .contains(" io.iocluster.examples.attribution.AttributionExample 127.0.0.1:9092");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void usesTheCacheOfItsJava() throws Exception {
        Path java17 = installation.fakeJava("17.0.1", 0);
        Path java25 = installation.fakeJava("25.0.1", 0);
        Path archive = createEmptyCache(java17, "");
        Path cache = createEmptyCache(java25, "");

        assertThat(run(using(java17), "run")).contains(" -XX:SharedArchiveFile=" + archive + " ");
        assertThat(run(using(java25), "run")).contains(" -XX:AOTCache=" + cache + " ");
        assertThat(run(using(java25), "version")).contains(" -XX:AOTCache=" + cache + " ");
    }

    @Test
    void usesACacheOfTheUserIfTheInstallationHasNone() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        Files.createFile(installation.home().resolve("cache"));
        Path cache = createEmptyCache(java, "");

        assertThat(cache).startsWith(installation.userHome().resolve(".cache/iocluster"));
        assertThat(run(using(java), "run")).contains(" -XX:AOTCache=" + cache + " ");
    }

    @Test
    void usesNoCacheIfItIsOff() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        createEmptyCache(java, "");

        assertThat(run(javaHome(java), "run")).doesNotContain("AOTCache");
    }

    @Test
    void usesNoCacheOfAnotherJar() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        createEmptyCache(java, "");
        Files.writeString(installation.home().resolve("lib/node.jar"), "changed");

        assertThat(run(using(java), "run")).doesNotContain("AOTCache");
    }

    /** Each build gives its jars the same time. */
    @Test
    void usesNoCacheOfAnotherBuildWithAJarOfTheSameSizeAndTime() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        Path jar = installation.home().resolve("lib/iocluster-node-1.jar");
        FileTime time = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));
        Files.setLastModifiedTime(Files.writeString(jar, "one"), time);
        createEmptyCache(java, "");
        assertThat(run(using(java), "run")).contains("AOTCache");

        Files.setLastModifiedTime(Files.writeString(jar, "two"), time);

        assertThat(run(using(java), "run")).doesNotContain("AOTCache");
    }

    @Test
    void usesNoCacheOfAnotherCollector() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        createEmptyCache(java, "-XX:+UseG1GC");
        Map<String, String> serial = new HashMap<>(using(java));
        serial.put("IOCLUSTER_JAVA_OPTS", "-XX:+UseSerialGC");
        Map<String, String> g1 = new HashMap<>(using(java));
        g1.put("IOCLUSTER_JAVA_OPTS", "-Xmx1g -XX:+UseG1GC");

        assertThat(run(using(java), "run")).doesNotContain("AOTCache");
        assertThat(run(serial, "run")).doesNotContain("AOTCache");
        assertThat(run(g1, "run")).contains("AOTCache");
    }

    @Test
    void usesNoCacheThatEveryUserCanWrite() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        Path cache = createEmptyCache(java, "");

        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(run(using(java), "run")).doesNotContain("AOTCache");

        Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run(using(java), "run")).contains("AOTCache");

        Files.setPosixFilePermissions(cache.getParent(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(run(using(java), "run")).doesNotContain("AOTCache");
    }

    @Test
    void createsNoCacheInAFolderThatEveryUserCanWrite() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        Path shared = Files.createDirectory(installation.home().resolve("cache"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));

        installation.run(using(java), "bin/aot-cache");

        assertThat(shared).isEmptyDirectory();
        assertThat(installation.userHome().resolve(".cache/iocluster")).isNotEmptyDirectory();
    }

    @Test
    void usesNoCacheOfAnotherUser() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a file to another user");
        Path java = installation.fakeJava("25.0.1", 0);
        Path cache = createEmptyCache(java, "");

        Files.setAttribute(cache, "unix:uid", 65_534);

        assertThat(run(using(java), "run")).doesNotContain("AOTCache");
    }

    @Test
    void usesNoCacheIfTheOperatorChoseAnArchive() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        createEmptyCache(java, "");

        for (String option :
                List.of("-Xshare:auto", "-Xshare:off", "-XX:SharedArchiveFile=app.jsa", "-XX:AOTCacheOutput=app.aot")) {
            for (String variable : List.of("IOCLUSTER_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
                Map<String, String> chosen = new HashMap<>(using(java));
                chosen.put(variable, "-Xmx1g " + option);

                assertThat(run(chosen, "run"))
                        .as(variable + "=" + option)
                        .contains("io.iocluster.node.Main run")
                        .doesNotContain("-XX:AOTCache=");
            }
        }
    }

    @Test
    void readsOptionsOnSeveralLines() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        createEmptyCache(java, "");
        Map<String, String> lines = new HashMap<>(using(java));
        lines.put("IOCLUSTER_JAVA_OPTS", "-XX:+UseSerialGC\n-Xmx300m\n-XX:-UseCompressedOops\n");

        assertThat(run(lines, "run"))
                .contains(" -Xms300m ", " -XX:+UseSerialGC ")
                .doesNotContain("AOTCache");
    }

    @Test
    void aSmallerHeapOfTheGeneratorIsItsInitialHeapToo() throws Exception {
        Map<String, String> small = new HashMap<>(using(installation.fakeJava("25.0.1", 0)));
        small.put("IOCLUSTER_JAVA_OPTS", "-Xmx512m");

        assertThat(run(small, "load")).containsSubsequence("-Xms1g ", "-Xms512m ", "-Xmx512m ");
    }

    @Test
    void loadTestsRunWithoutTheBrokerOfTheDemo() throws Exception {
        Map<String, String> java = javaHome(installation.fakeJava("25.0.1", 0));

        assertThat(run(java, "load")).contains("/lib/load/*:").contains("io.iocluster.node.Main load");
        assertThat(installation.run(java, "bin/iocluster", "load", "cluster"))
                .isEqualTo(new Result(
                        1,
                        "iocluster: demo and load cluster start a broker, which this installation does not have in lib/demo;"
                                + " run them from the distribution, not from the image\n"));
        assertThat(installation.run(java, "bin/iocluster", "demo").exitCode()).isEqualTo(1);

        Files.createDirectory(installation.home().resolve("lib/demo"));
        assertThat(installation.run(java, "bin/iocluster", "load", "cluster").exitCode())
                .isZero();
        assertThat(run(java, "demo")).contains("/lib/load/*:", "/lib/demo/*");
    }

    @Test
    void createsTheCacheAtIdlePriorityAndAsTheFirstProcessToBeKilled() throws Exception {
        Path java = installation.fakeJava("25.0.1", 0);
        Path observed = folder.resolve("observed");
        Files.writeString(
                java.resolve("bin/java"),
                "#!/bin/sh\nchrt -p $$ >" + observed + "\ncat /proc/self/oom_score_adj >>" + observed + "\n");
        Map<String, String> environment = new HashMap<>(using(java));
        environment.put("IOCLUSTER_AOT_CACHE_DELAY", "0.1");
        String node = Long.toString(ProcessHandle.current().pid());

        Result result = installation.run(environment, "bin/aot-cache", "--behind", node);

        assertThat(result)
                .isEqualTo(
                        new Result(
                                1,
                                "iocluster: the AOT cache could not be created because the recording node failed; run bin/aot-cache to see its log\n"));
        assertThat(observed).content().contains("SCHED_IDLE").endsWith("\n1000\n");
        assertThat(installation.home().resolve("cache")).isDirectoryContaining("glob:**/lock");
        assertThat(installation.home().resolve("cache")).isDirectoryNotContaining("glob:**/new.*");
    }

    /** Creates the file that the scripts look for, in the first folder that can be written. */
    private Path createEmptyCache(Path java, String options) throws Exception {
        Path script = Files.writeString(installation.home().resolve("bin/create"), """
                home=$(cd "$(dirname "$0")/.." && pwd)
                . "$home/bin/lib/env.sh"
                . "$home/bin/lib/aot-cache.sh"
                aot_cache_folders | while read -r folder; do
                  if mkdir -p "$folder" 2>/dev/null; then
                    touch "$folder/$(aot_cache_name "$@")"
                    printf '%s/%s' "$folder" "$(aot_cache_name "$@")"
                    break
                  fi
                done
                """);
        Path cache = Path.of(installation
                .run(using(java), "bin/" + script.getFileName(), options)
                .output());
        assertThat(cache).exists();
        return cache;
    }

    private String run(Map<String, String> environment, String command) throws Exception {
        return installation.run(environment, "bin/iocluster", command).output();
    }

    private static Map<String, String> javaHome(Path home) {
        return Map.of("IOCLUSTER_AOT_CACHE", "off", "JAVA_HOME", home.toString());
    }

    private static Map<String, String> using(Path home) {
        return Map.of("IOCLUSTER_AOT_CACHE", "use", "JAVA_HOME", home.toString());
    }
}
