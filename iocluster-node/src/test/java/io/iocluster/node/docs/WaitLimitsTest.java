package io.iocluster.node.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that waits for less than a minute fails on a slow or busy machine. */
class WaitLimitsTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();

    private static final Pattern SHORT_WAIT = Pattern.compile("@Timeout\\((value = )?[1-5]?\\d\\)"
            + "|atMost\\(Duration\\.of(Millis\\(|Seconds\\([1-5]?\\d\\))"
            + "|\\.(get|await|awaitTermination|waitFor|orTimeout)\\([1-5]?\\d, (TimeUnit\\.)?SECONDS\\)");

    @Test
    void everyTestWaitsForAtLeastAMinute() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.find(
                PROJECT,
                20,
                (file, attributes) -> attributes.isRegularFile()
                        && file.toString().contains("/src/test/java/")
                        && file.toString().endsWith(".java"))) {
            files.forEach(file -> found.addAll(shortWaits(file)));
        }

        assertThat(found).isEmpty();
    }

    private static List<String> shortWaits(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> SHORT_WAIT.matcher(line).find())
                    .map(line -> file.getFileName() + ": " + line.strip())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
