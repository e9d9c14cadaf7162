package io.iocluster.lab;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the sources of all modules, main and test. */
class SourceSizeTest {

    private static final Path PROJECT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .normalize()
            .getParent();
    private static final int MAX_LINES = 400;
    private static final int MAX_FILES = 20;

    @Test
    void noFileHasMoreThan400Lines() throws IOException {
        List<Path> sources = sources();

        assertThat(sources).isNotEmpty();
        assertThat(sources.stream().filter(file -> lines(file) > MAX_LINES).map(SourceSizeTest::name))
                .isEmpty();
    }

    @Test
    void noPackageHasMoreThan20Files() throws IOException {
        Map<Path, Long> filesByPackage = sources().stream().collect(groupingBy(Path::getParent, counting()));

        assertThat(filesByPackage.entrySet().stream()
                        .filter(each -> each.getValue() > MAX_FILES)
                        .map(each -> name(each.getKey())))
                .isEmpty();
    }

    private static String name(Path source) {
        return PROJECT.relativize(source).toString();
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Does not look into the build folders, which other modules change at the same time. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (Path parent : List.of(PROJECT, PROJECT.resolve("examples"))) {
            try (DirectoryStream<Path> modules =
                    Files.newDirectoryStream(parent, module -> Files.isDirectory(module.resolve("src")))) {
                for (Path module : modules) {
                    try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }
}
