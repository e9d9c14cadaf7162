package io.iocluster.node.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Main sources, docker files, examples and pages use none of the phrases that readers had to read twice. */
class PlainEnglishTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
    private static final Pattern PHRASES = Pattern.compile(
            "\\b(likewise|whoever|nobody|so many|at the most|of late|begins? anew|put off|those who"
                    + "|of (?:its|their) own|(?:held|holds?) back|held up)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Set<String> SOURCES = Set.of("java", "js", "html", "yaml");

    /** The page that quotes former names. */
    private static final Set<String> QUOTING = Set.of("docs/migration.md");

    @Test
    void noFileUsesAPhraseThatIsHardToRead() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(PROJECT)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = PROJECT.relativize(file).toString();
                if (isChecked(name)) {
                    findIn(name, Files.readAllLines(file), found);
                }
            }
        }

        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Nobody reads it", "a call is put off", "it begins anew", "so many calls", "a queue of its own"})
    void findsAPhraseInAnyCase(String line) {
        List<String> found = new ArrayList<>();

        findIn("a.md", List.of("plain", line), found);

        assertThat(found).hasSize(1).first().asString().startsWith("a.md:2: ");
    }

    private static void findIn(String name, List<String> lines, List<String> found) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int number = i + 1;
            PHRASES.matcher(line).results().forEach(match -> found.add(name + ":" + number + ": " + match.group()));
        }
    }

    private static boolean isChecked(String name) {
        if (name.contains("target/") || name.contains("node_modules/") || QUOTING.contains(name)) {
            return false;
        }
        String extension = name.substring(name.lastIndexOf('.') + 1);
        return Set.of("README.md", "CONTRIBUTING.md", "SECURITY.md").contains(name)
                || name.startsWith("docs/") && Set.of("md", "yaml", "json").contains(extension)
                || name.startsWith("docker/") && !extension.equals("jsa")
                || name.startsWith("examples/") && (SOURCES.contains(extension) || extension.equals("md"))
                || name.startsWith("iocluster-") && name.contains("/src/main/") && SOURCES.contains(extension);
    }
}
