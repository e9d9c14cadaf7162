package io.iocluster.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/**
 * Tests that {@code bin/test} shows its progress and lists all tests that failed or did not run, and what {@code -DskipTests} skips.
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
                        line -> assertThat(line).isEqualTo("BTest.adds: 1"),
                        line -> assertThat(line).isEqualTo("    2"),
                        line -> assertThat(line).isEqualTo("CIT.stops: TimeoutException"),
                        line -> assertThat(line).startsWith("TEST-DIT.xml: the report cannot be read"));
    }

    @Test
    void listsNoFailuresOfEarlierRuns() throws Exception {
        report("a", "surefire", "ATest", "<testcase classname='ATest' name='adds'><failure message='1'/></testcase>");

        assertThat(failures(Long.toString(System.currentTimeMillis() / 1_000 + 60)))
                .isEmpty();
    }

    @Test
    void aCompleteRunListsTheTestClassesThatDidNotRun() throws Exception {
        source("a", "x.ATest", "class ATest {}");
        source("a", "x.BIT", "class BIT {}");
        source("a", "x.BaseTest", "abstract class BaseTest {}");
        source("a", "x.Helper", "class Helper {}");
        source("examples/b", "CTest", "class CTest {}");
        report("suite/core", "surefire", "x.ATest", "<testcase classname='x.ATest' name='works'/>");

        assertThat(failures("0", "--complete")).containsExactly("CTest: did not run", "x.BIT: did not run");
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
    void skipTestsSkipsAllTests() throws Exception {
        for (String pom : List.of("pom.xml", "iocluster-suite/pom.xml", "examples/pom.xml")) {
            assertThat(valueIn(pom, "/project/properties/skip.own-tests"))
                    .as(pom)
                    .isEqualTo("${skipTests}");
        }
        for (String plugin : List.of("maven-surefire-plugin", "maven-failsafe-plugin")) {
            assertThat(valueIn("pom.xml", "//plugin[artifactId='" + plugin + "']/configuration/skipTests"))
                    .isEqualTo("${skip.own-tests}");
        }
    }

    @Test
    void showsModulesErrorsAndHowManyTestClassesAreDone() throws Exception {
        source("a", "x.ATest", "class ATest {}");
        source("a", "x.BIT", "class BIT {}");

        assertThat(progress("""
                        [INFO] Building IOCluster API 0.1.0-SNAPSHOT    [2/16]
                        [INFO] Building a jar
                        [INFO] Running x.ATest
                        [INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in x.ATest$WhenFull
                        [INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in x.ATest
                        [INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0
                        [ERROR] Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in x.BIT
                        """))
                .containsExactly(
                        "[INFO] Building IOCluster API 0.1.0-SNAPSHOT    [2/16]",
                        "1 of 2 test classes done, 0 failed",
                        "[ERROR] Tests run: 1, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in x.BIT",
                        "2 of 2 test classes done, 1 failed");
        assertThat(clone.resolve("log")).content().contains("Running x.ATest");
    }

    @Test
    void estimatesTheRestFromTwentyTestClasses() throws Exception {
        StringBuilder output = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            source("a", "Number" + i + "Test", "class Number" + i + "Test {}");
            output.append("[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in Number"
                    + i + "Test\n");
        }

        assertThat(progress(output.toString()))
                .last()
                .isEqualTo("20 of 20 test classes done, 0 failed, about 0 min left");
    }

    private List<String> progress(String output) throws Exception {
        return run(
                        output,
                        "bin/lib/progress.py",
                        clone.toString(),
                        clone.resolve("log").toString())
                .lines();
    }

    private static String valueIn(String pom, String path) throws Exception {
        return XPathFactory.newInstance().newXPath().evaluate(path, parse(PROJECT.resolve(pom)));
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
        List<String> arguments = new ArrayList<>(List.of(clone.toString(), since));
        arguments.addAll(List.of(options));
        Result result = run("", "bin/lib/failures.py", arguments.toArray(String[]::new));
        assertThat(result.exitCode()).isEqualTo(result.lines().isEmpty() ? 0 : 1);
        return result.lines();
    }

    private record Result(int exitCode, List<String> lines) {}

    /** Runs a script with this standard input. */
    private static Result run(String input, String script, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("python3", "-B", PROJECT.resolve(script).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream standardInput = process.getOutputStream()) {
            standardInput.write(input.getBytes(UTF_8));
        }
        List<String> lines = new String(process.getInputStream().readAllBytes(), UTF_8)
                .lines()
                .toList();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), lines);
    }
}
