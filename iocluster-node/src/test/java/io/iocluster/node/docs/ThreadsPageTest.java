package io.iocluster.node.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the table of threads with the names in the code. */
class ThreadsPageTest {

    private static final Path PROJECT = Path.of("..");

    /** A name, or the beginning of one. */
    private static final Pattern CREATED =
            Pattern.compile("new(?:Loop|Scheduler|Threads)\\(\\s*\"(iocluster-[a-z-]*)\"");

    private static final Pattern DOCUMENTED = Pattern.compile("`(iocluster-[a-z-]*)…?`");

    private final String page = Files.readString(PROJECT.resolve("docs/architecture.md"));
    private final String code = code();

    ThreadsPageTest() throws IOException {}

    private static String code() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("api", "client", "core", "door", "kafka", "node", "rabbit")) {
            try (Stream<Path> files = Files.walk(PROJECT.resolve("iocluster-" + module + "/src/main/java"))) {
                files.filter(each -> each.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        StringBuilder all = new StringBuilder();
        for (Path each : sources) {
            all.append(Files.readString(each));
        }
        return all.toString();
    }

    private static List<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult each) -> each.group(1))
                .distinct()
                .collect(Collectors.toList());
    }

    @Test
    void thePageHasEachThreadOfTheCode() {
        assertThat(names(CREATED, code))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(page).contains("`" + name));
    }

    @Test
    void theCodeHasEachThreadOfThePage() {
        assertThat(names(DOCUMENTED, page))
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(code).containsAnyOf("\"" + name, "\"" + name.substring("iocluster-".length())));
    }
}
