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

/** Sources, tests, scripts, build files and pages use none of the phrases that readers had to read twice. */
class PlainEnglishTest {

    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();

    /** {@code noBody} of the JDK's HTTP client is not one of them. */
    private static final Pattern PHRASES = Pattern.compile("\\b((?i:likewise|whoever|so many|at the most|of late"
            + "|begins? anew|put off|those who|of (?:its|their) own|(?:held|holds?) back|held up)|[Nn]obody)\\b");

    /** What separates the words of a sentence that continues on the next line of a comment. */
    private static final Pattern CONTINUATION = Pattern.compile("^\\s*(\\*|//|#|>)?\\s*");

    private static final Set<String> EXTENSIONS =
            Set.of("java", "js", "ts", "html", "css", "yaml", "yml", "md", "json", "xml", "sh", "py", "go", "options");

    /** The page and the test that quote the phrases. */
    private static final Set<String> QUOTING = Set.of("docs/migration.md", "PlainEnglishTest.java");

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
            strings = {
                "Nobody reads it",
                "a call is put off",
                "It Begins Anew",
                "so many calls",
                "a queue of its own",
                "     * a queue of its\n     * own, which",
                "// so\n// many calls"
            })
    void findsAPhrase(String lines) {
        List<String> found = new ArrayList<>();

        findIn("a.md", Stream.concat(Stream.of("plain"), lines.lines()).toList(), found);

        assertThat(found).hasSize(1).first().asString().startsWith("a.md:2: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BodyPublishers.noBody()", "the input of\n\nits own"})
    void acceptsOtherText(String lines) {
        List<String> found = new ArrayList<>();

        findIn("a.md", lines.lines().toList(), found);

        assertThat(found).isEmpty();
    }

    private static void findIn(String name, List<String> lines, List<String> found) {
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String next = i + 1 < lines.size() ? lines.get(i + 1) : "";
            String both = line + " " + CONTINUATION.matcher(next).replaceFirst("");
            int number = i + 1;
            PHRASES.matcher(both)
                    .results()
                    .filter(match -> match.start() < line.length())
                    .forEach(match -> found.add(name + ":" + number + ": " + match.group()));
        }
    }

    private static boolean isChecked(String name) {
        if (name.contains("target/")
                || name.contains("node_modules/")
                || name.contains("/src/test/resources/")
                || QUOTING.stream().anyMatch(name::endsWith)) {
            return false;
        }
        String file = name.substring(name.lastIndexOf('/') + 1);
        return name.startsWith("bin/") && !file.contains(".")
                || (!name.startsWith(".") || name.startsWith(".github/"))
                        && EXTENSIONS.contains(file.substring(file.lastIndexOf('.') + 1));
    }
}
