package io.iocluster.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {

    private static final Path PAGE = Path.of("..", "docs", "errors.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z-]+)` \\| ([^|]+) \\| [^|]+ \\|$", Pattern.MULTILINE);

    @Test
    void errorsPageHasOneRowForEachCodeInTheSectionOfItsOutcome() throws IOException {
        String page = Files.readString(PAGE);
        for (Outcome outcome : Outcome.values()) {
            if (outcome == Outcome.ANSWERED) {
                continue;
            }
            int from = page.indexOf("\n## " + outcome.wireName());
            int to = page.indexOf("\n## ", from + 1);
            String section = page.substring(from, to < 0 ? page.length() : to);

            assertThat(ROW.matcher(section).results().map(ErrorCodeTest::line))
                    .containsExactlyElementsOf(Arrays.stream(ErrorCode.values())
                            .filter(code -> code.outcome() == outcome)
                            .map(code -> code.wireName() + ": " + code.description())
                            .toList());
        }
    }

    private static String line(MatchResult row) {
        return row.group(1) + ": " + row.group(2);
    }
}
