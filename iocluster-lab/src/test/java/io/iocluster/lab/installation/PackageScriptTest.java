package io.iocluster.lab.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests bin/package in a clone with a small distribution. bin/package-test installs the real package. */
class PackageScriptTest {

    private static final String DEB = "target/packages/iocluster_0.1.0_all.deb";

    @TempDir
    private Path folder;

    private Installation clone;

    @BeforeEach
    void createClone() throws IOException {
        clone = new Installation(folder)
                .with("bin/package")
                .with("bin/lib/build.sh")
                .with("CHANGELOG.md");
        Path home = clone.home();
        for (String file : List.of(
                "deb/control",
                "deb/copyright",
                "deb/postinst",
                "deb/postrm",
                "deb/prerm",
                "iocluster.spec",
                "services.sh")) {
            clone.with("iocluster-dist/src/package/" + file);
        }
        Files.createDirectories(home.resolve("docs/schema"));
        Files.writeString(home.resolve("pom.xml"), """
                <version>0.1.0</version>
                <project.build.outputTimestamp>2026-01-01T00:00:00Z</project.build.outputTimestamp>
                """);
        Path distribution = home.resolve("iocluster-dist/target/iocluster-0.1.0/iocluster-0.1.0");
        write(distribution.resolve("bin/iocluster"), "#!/bin/sh\n");
        write(distribution.resolve("lib/iocluster-node.jar"), "jar");
        write(distribution.resolve("cache/java.aot"), "cache");
        for (String service : List.of("node", "door")) {
            copy("conf/" + service + ".yaml", distribution);
            copy("systemd/iocluster-" + service + ".service", distribution);
        }
        Files.createDirectories(home.resolve("iocluster-dist/src/main"));
        write(home.resolve("iocluster-dist/pom.xml"), "");
        Path stamp = home.resolve("target/built");
        write(stamp, "");
        Files.setLastModifiedTime(stamp, FileTime.from(Instant.now().plusSeconds(60)));
    }

    @Test
    void theSameSourcesGiveTheSamePackage() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "dpkg-deb is not installed");

        byte[] first = Files.readAllBytes(build());
        touchAll();
        byte[] second = Files.readAllBytes(build());

        assertThat(second).isEqualTo(first);
        assertThat(clone.home().resolve("target/packages/SHA256SUMS"))
                .content()
                .matches("[0-9a-f]{64}  iocluster_0.1.0_all.deb\n");
    }

    @Test
    void thePackageHasTheProgramItsServicesAndItsConfiguration() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/dpkg-deb")), "dpkg-deb is not installed");

        Path tree = folder.resolve("tree");
        run("dpkg-deb", "-R", build().toString(), tree.toString());

        assertThat(tree.resolve("DEBIAN/conffiles")).hasContent("/etc/iocluster/door.yaml\n/etc/iocluster/node.yaml");
        assertThat(Files.readSymbolicLink(tree.resolve("usr/bin/iocluster")))
                .hasToString("/opt/iocluster/bin/iocluster");
        assertThat(tree.resolve("opt/iocluster/cache")).doesNotExist();
        assertThat(tree.resolve("etc/iocluster/node.yaml"))
                .content()
                .startsWith("# yaml-language-server: $schema=/opt/iocluster/schema/node.schema.json\n");
        for (String service : List.of("node", "door")) {
            assertThat(tree.resolve("usr/lib/systemd/system/iocluster-" + service + ".service"))
                    .content()
                    .contains(
                            "ExecStart=/opt/iocluster/bin/iocluster ",
                            "--config /etc/iocluster/" + service + ".yaml\n");
        }
        for (String script : List.of("postinst", "prerm", "postrm")) {
            assertThat(run("sh", "-n", tree.resolve("DEBIAN/" + script).toString()))
                    .isEmpty();
        }
    }

    @Test
    void anUnknownPackageIsRefused() throws Exception {
        Installation.Result result = clone.run(Map.of(), "bin/package", "snap");

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output()).contains("unknown package: snap");
    }

    private Path build() throws Exception {
        Installation.Result result = clone.run(Map.of(), "bin/package", "deb");

        assertThat(result.exitCode()).as(result.output()).isZero();
        return clone.home().resolve(DEB);
    }

    /** Gives all files of the distribution another time, as another build would. */
    private void touchAll() throws IOException {
        try (Stream<Path> files = Files.walk(clone.home().resolve("iocluster-dist/target"))) {
            for (Path file : files.toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-02-03T04:05:06Z")));
            }
        }
    }

    private void copy(String file, Path distribution) throws IOException {
        String source = "iocluster-dist/src/dist/" + file;
        write(
                distribution.resolve(file),
                Files.readString(clone.with(source).home().resolve(source)));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
