package io.iocluster.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.junit.TestClassLimit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Tests that {@code bin/test} runs all modules and lists all tests that failed or did not run, and what {@code -DskipTests} skips.
 */
class TestScriptTest {

    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .normalize()
            .getParent();

    @TempDir
    Path clone;

    @Test
    void listsTheFailedTestsOfAllModules() throws Exception {
        report("a", "surefire", "ATest", "<testcase classname='ATest' name='works'/>");
        report(
                "a",
                "surefire",
                "BTest",
                "<testcase classname='BTest' name='adds'><failure message='1&#10;2'/></testcase>");
        report(
                "b",
                "failsafe",
                "CIT",
                "<testcase classname='CIT' name='stops'><error type='TimeoutException'/></testcase>");
        Files.writeString(reports("c", "failsafe").resolve("TEST-DIT.xml"), "<testsuite>");

        assertThat(failures("0"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).isEqualTo("a BTest.adds: 1"),
                        line -> assertThat(line).isEqualTo("    2"),
                        line -> assertThat(line).isEqualTo("b CIT.stops: TimeoutException"),
                        line -> assertThat(line).startsWith("c TEST-DIT.xml: the report cannot be read"));
    }

    @Test
    void listsNoFailuresOfEarlierRuns() throws Exception {
        report("a", "surefire", "ATest", "<testcase classname='ATest' name='adds'><failure message='1'/></testcase>");

        assertThat(failures(Long.toString(System.currentTimeMillis() / 1_000 + 60)))
                .isEmpty();
    }

    @Test
    void aCompleteRunListsTheTestClassesThatDidNotRun() throws Exception {
        for (String module : List.of("a", "examples/b")) {
            Files.writeString(Files.createDirectories(clone.resolve(module)).resolve("pom.xml"), "<project/>");
        }
        source("a", "x.ATest", "class ATest {}");
        source("a", "x.BIT", "class BIT {}");
        source("a", "x.BaseTest", "abstract class BaseTest {}");
        source("a", "x.Helper", "class Helper {}");
        source("examples/b", "CTest", "class CTest {}");
        report("a", "surefire", "x.ATest", "<testcase classname='x.ATest' name='works'/>");

        assertThat(failures("0", "--complete")).containsExactly("a x.BIT: did not run", "b CTest: did not run");
        assertThat(failures("0")).isEmpty();
    }

    private void source(String module, String name, String content) throws IOException {
        Path file = clone.resolve(module).resolve("src/test/java").resolve(name.replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    void aFailedModuleStopsNoOtherModule() throws IOException {
        assertThat(Files.readString(PROJECT.resolve("bin/test")))
                .contains(" --fail-at-end ", " -Dmaven.test.failure.ignore=true ");
    }

    @Test
    void theTestClassesOfAllGroupsShareTheSlots() throws IOException {
        assertThat(Files.readString(PROJECT.resolve("bin/test")))
                .contains("maven \"test-$1\" verify ", " -D" + TestClassLimit.SLOTS_PROPERTY + "=\"$slots\" ");
    }

    /** A new plugin needs an entry here, so that its author finds out whether two Maven processes can run it in one tree. */
    @Test
    void theGroupsWriteNoFileThatTheBuildWrites() throws Exception {
        Map<String, String> switchesByPlugin = Map.of(
                "maven-compiler-plugin", " -Dmaven.main.skip -Dskip.test-compile ",
                "maven-resources-plugin", " -Dmaven.resources.skip ",
                "protobuf-maven-plugin", " -Dprotobuf.skip ",
                "spotless-maven-plugin", " -Dspotless.check.skip ");
        // They write nothing, or only the reports of modules that a single group tests. The jar plugin keeps a jar that
        // is up to date.
        Set<String> harmless =
                Set.of("maven-enforcer-plugin", "maven-failsafe-plugin", "maven-jar-plugin", "maven-surefire-plugin");
        Set<String> plugins = new TreeSet<>(List.of("maven-compiler-plugin", "maven-resources-plugin"));
        for (Path pom : poms()) {
            // No group tests the distribution.
            if (!pom.startsWith(PROJECT.resolve("iocluster-dist"))) {
                NodeList names = (NodeList) XPathFactory.newInstance()
                        .newXPath()
                        .evaluate("/project/build//plugin[executions]/artifactId", parse(pom), XPathConstants.NODESET);
                for (int i = 0; i < names.getLength(); i++) {
                    plugins.add(names.item(i).getTextContent());
                }
            }
        }
        plugins.removeAll(harmless);

        assertThat(switchesByPlugin).containsOnlyKeys(plugins);
        String commands = Files.readString(PROJECT.resolve("bin/test")).replace("\\\n", " ");
        assertThat(switchesByPlugin.values())
                .allSatisfy(switches -> assertThat(commands).contains(switches));
    }

    private static List<Path> poms() throws IOException {
        try (Stream<Path> files = Files.find(PROJECT, 3, (file, attributes) -> file.endsWith("pom.xml"))) {
            return files.toList();
        }
    }

    @Test
    void aRunDoesNotWaitForSlotsOfEarlierRuns() throws IOException {
        assertThat(Files.readString(PROJECT.resolve("bin/test"))).contains("\nrm -f \"$slots\"\nhead -c ");
    }

    @Test
    void skipTestsSkipsIntegrationTests() throws Exception {
        assertThat(XPathFactory.newInstance()
                        .newXPath()
                        .evaluate(
                                "//plugin[artifactId='maven-failsafe-plugin']/configuration/skipTests",
                                parse(PROJECT.resolve("pom.xml"))))
                .isEqualTo("${skipTests}");
    }

    private static Document parse(Path pom) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    }

    private void report(String module, String kind, String name, String cases) throws IOException {
        Files.writeString(
                reports(module, kind).resolve("TEST-" + name + ".xml"), "<testsuite>" + cases + "</testsuite>");
    }

    private Path reports(String module, String kind) throws IOException {
        return Files.createDirectories(clone.resolve(module).resolve("target").resolve(kind + "-reports"));
    }

    private List<String> failures(String since, String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("python3", PROJECT.resolve("bin/lib/failures.py").toString(), clone.toString(), since));
        command.addAll(List.of(options));
        Process script = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(script.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(script.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(script.exitValue()).isEqualTo(lines.isEmpty() ? 0 : 1);
        return lines;
    }
}
