package io.iocluster.usable;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.usable.Usability;
import io.iocluster.message.usable.UsableRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks arbitrary bodies: each check has a result, and a body that is cut short has the same result or none. */
class UsableCheckFuzz {

    private static final List<UsableRule> RULES = List.of(
            UsableRule.builder().json("/a").equalTo(true).build(),
            UsableRule.builder().json("/a/1").in(1, 2.5).build(),
            UsableRule.builder().json("/a").equalTo("b").build(),
            UsableRule.builder().json("").greater(0).less(1e300).build(),
            UsableRule.builder().json("/a/~1~0/0").exists(false).build());

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "{\"a\": true}",
                        "{\"b\": [{}, [1, \"\\u00fc\"]], \"a\": [0, 2.5e0]}",
                        "{\"a\": \"b\"}",
                        "[[[[[[",
                        "1e999999999",
                        "-0.000001",
                        "{\"a\": {\"/~\": [null]}}",
                        "\ufeff{\"a\": \"b\"}",
                        "<html>")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @DictionaryEntries({"{\"a\":", "true", "[0,1", "\"b\"", "1e", "null", "\\ud800", "\"/~\":[", "]", "}"})
    @FuzzTest(maxDuration = "2s")
    void checksAnyBody(byte[] body) {
        for (UsableRule rule : RULES) {
            Usability whole = check(body, false, body.length + 1, rule);
            check(whole != Usability.UNCHECKED && whole != Usability.TOO_LONG, whole);
            Usability cut = check(body, true, body.length + 1, rule);
            check(cut == whole || cut == Usability.TOO_LONG, cut + " instead of " + whole);
            Usability half = check(body, false, body.length / 2, rule);
            check(
                    half == whole
                            || whole == Usability.NOT_JSON
                            || half == Usability.NOT_JSON
                            || half == Usability.TOO_LONG,
                    half + " instead of " + whole);
        }
    }

    private static Usability check(byte[] body, boolean truncated, int maxBytes, UsableRule rule) {
        Response response = new Response(200, List.of(), body, truncated, AttemptTiming.NONE);
        return UsableCheck.check(response, rule, maxBytes).usability();
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(String.valueOf(what));
        }
    }
}
