package io.iocluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplyToPatternsTest {

    private static final Map<String, String> VALUES =
            Map.of("key", "team-a", "header:tenant", "blue", "header:glob", "*", "header:blank", " ");

    @ParameterizedTest
    @CsvSource({
        "exact, exact, true",
        "exact, exactly, false",
        "team.*, team.x, true",
        "team.*, teamXx, false",
        "{key}, team-a, true",
        "{key}.*, team-a.x, true",
        "{key}.*, team-b.x, false",
        "{header:tenant}.{key}, blue.team-a, true",
        "{header:tenant}.{key}, red.team-a, false",
        "{header:glob}.out, anything.out, false",
        "{header:glob}.out, *.out, true",
        "{header:absent}.out, .out, false",
        "{header:absent}*, anything, false",
        "'{header:blank}*', ' x', false",
    })
    void matchesPatternsAndPlaceholders(String pattern, String replyTo, boolean match) {
        assertThat(new ReplyToPatterns(List.of(pattern)).matches(replyTo, VALUES::get))
                .isEqualTo(match);
    }

    @Test
    void matchesIfAnyPatternMatches() {
        ReplyToPatterns patterns = new ReplyToPatterns(List.of("{header:absent}", "{key}", "fixed"));

        assertThat(List.of("team-a", "fixed")).allMatch(replyTo -> patterns.matches(replyTo, VALUES::get));
        assertThat(new ReplyToPatterns(List.of()).matches("fixed", VALUES::get)).isFalse();
    }

    @Test
    void reportsInvalidPlaceholders() {
        assertThat(ReplyToPatterns.problem("a.*", Set.of("key"))).isNull();
        assertThat(ReplyToPatterns.problem("{key}.{header:x}", Set.of("key"))).isNull();
        assertThat(ReplyToPatterns.problem("{kye}", Set.of("key")))
                .isEqualTo("has an unknown placeholder {kye}; use {header:NAME} or [key]");
        assertThat(ReplyToPatterns.problem("{header:}", Set.of("key"))).contains("unknown placeholder");
        assertThat(ReplyToPatterns.problem("a}", Set.of("key"))).contains("brace");
        assertThat(ReplyToPatterns.withoutPlaceholders("{key}.*")).isEqualTo("x.*");
    }
}
