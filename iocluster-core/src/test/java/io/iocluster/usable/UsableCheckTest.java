package io.iocluster.usable;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Header;
import io.iocluster.message.usable.Usability;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.message.usable.UsableRuleBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsableCheckTest {

    /** The document of RFC 6901, section 5. */
    private static final String RFC_DOCUMENT = """
            {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}""";

    private static final UsableRule MATCH = rule("/match").equalTo(true).build();
    private static final int MAX_BYTES = 256 * 1024;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {"/;0", "/a~1b;1", "/c%d;2", "/e^f;3", "/g|h;4", "/i\\j;5", "/k\"l;6", "/ ;7", "/m~0n;8"})
    void findsTheNumbersOfTheRfc(String pointer, int value) {
        assertThat(check(RFC_DOCUMENT, rule(pointer).equalTo(value).build())).isEqualTo(Usability.USABLE);
        assertThat(check(RFC_DOCUMENT, rule(pointer).equalTo(value + 1).build()))
                .isEqualTo(Usability.NO_MATCH);
    }

    @Test
    void findsTheOtherValuesOfTheRfc() {
        assertThat(check(RFC_DOCUMENT, rule("").exists(true).build())).isEqualTo(Usability.USABLE);
        assertThat(check(RFC_DOCUMENT, rule("/foo").exists(true).build())).isEqualTo(Usability.USABLE);
        assertThat(check(RFC_DOCUMENT, rule("/foo/0").equalTo("bar").build())).isEqualTo(Usability.USABLE);
        assertThat(check(RFC_DOCUMENT, rule("/foo/1").equalTo("baz").build())).isEqualTo(Usability.USABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/foo/2", "/foo/-", "/foo/00", "/foo/bar", "/foo/0/x", "/bar", "/a", "//", "/foo/4294967296"})
    void findsNothingElseInTheDocumentOfTheRfc(String pointer) {
        assertThat(check(RFC_DOCUMENT, rule(pointer).exists(true).build())).isEqualTo(Usability.NO_MATCH);
        assertThat(check(RFC_DOCUMENT, rule(pointer).exists(false).build())).isEqualTo(Usability.USABLE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true      | USABLE",
                "false     | NO_MATCH",
                "'\"true\"'  | NO_MATCH",
                "1         | NO_MATCH",
                "null      | NO_MATCH",
                "{}        | NO_MATCH",
                "[true]    | NO_MATCH",
            })
    void comparesAFlag(String value, Usability expected) {
        assertThat(check("{\"match\": " + value + "}", MATCH)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1        | false | false",
                "1.1      | true  | false",
                "2.999e0  | true  | false",
                "3        | false | true",
                "3.0      | false | true",
                "'\"2\"'  | false | false",
                "true     | false | false",
                "null     | false | false",
                "1e400    | false | false",
                "-1e400   | false | false",
            })
    void comparesNumbers(String value, boolean between, boolean three) {
        String body = "{\"n\": " + value + "}";

        assertThat(check(body, rule("/n").greater(1).less(3).build()) == Usability.USABLE)
                .isEqualTo(between);
        assertThat(check(body, rule("/n").in(3, 7).build()) == Usability.USABLE).isEqualTo(three);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"v\": 1}    | true",
                "{\"v\": {}}   | true",
                "{\"v\": []}   | true",
                "{\"v\": \"\"} | true",
                "{\"v\": null} | false",
                "{}            | false",
                "[]            | false",
                "7             | false",
                "null          | false",
            })
    void aValueExistsUnlessItIsMissingOrNull(String body, boolean exists) {
        assertThat(check(body, rule("/v").exists(true).build()) == Usability.USABLE)
                .isEqualTo(exists);
        assertThat(check(body, rule("/v").exists(false).build()) == Usability.USABLE)
                .isEqualTo(!exists);
    }

    @Test
    void everyConditionMustHold() {
        UsableRule rule = rule("/v").in("a", "b").equalTo("b").exists(true).build();

        assertThat(check("{\"v\": \"b\"}", rule)).isEqualTo(Usability.USABLE);
        assertThat(check("{\"v\": \"a\"}", rule)).isEqualTo(Usability.NO_MATCH);
    }

    @Test
    void checksTheStatusFirst() {
        UsableRule rule = UsableRule.builder().status(200).build();

        assertThat(usability(new Response(204, List.of(), new byte[0], false, AttemptTiming.NONE), rule))
                .isEqualTo(Usability.STATUS);
        assertThat(check("not read", rule)).isEqualTo(Usability.USABLE);
        assertThat(usability(response(404, bytes("{\"match\": true}")), MATCH)).isEqualTo(Usability.STATUS);
    }

    @Test
    void findsAValueBehindOthers() {
        String body = "{\"a\": {\"match\": false, \"b\": [[{}], \"}\"]}, \"c\": [1, {\"match\": 2}], \"match\": true}";

        assertThat(check(body, MATCH)).isEqualTo(Usability.USABLE);
        assertThat(check(body, rule("/c/1/match").equalTo(2).build())).isEqualTo(Usability.USABLE);
    }

    @Test
    void takesTheFirstOfMembersWithTheSameName() {
        assertThat(check("{\"match\": true, \"match\": false}", MATCH)).isEqualTo(Usability.USABLE);
        assertThat(check("{\"match\": false, \"match\": true}", MATCH)).isEqualTo(Usability.NO_MATCH);
    }

    @Test
    void readsNothingBehindTheValue() {
        assertThat(check("{\"match\": true, broken", MATCH)).isEqualTo(Usability.USABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "<html>match</html>",
                "match=true",
                "{\"match\": tru}",
                "{\"match\": True}",
                "{'match': true}",
                "{\"match\"",
                "{\"match\": ",
                "{\"match\": 1",
                "{\"a\": [1, 2}, \"match\": true}",
                "{\"a\": 1 \"match\": true}",
                "{\"a\": 007, \"match\": true}",
                "{\"a\": NaN, \"match\": true}",
                "{\"a\": \"\n\", \"match\": true}",
                "/* */{\"match\": true}",
                "\u0000\u0000\u0000\u0000",
            })
    void anythingButJsonIsUnusable(String body) {
        assertThat(check(body, MATCH)).isEqualTo(Usability.NOT_JSON);
    }

    @Test
    void readsUtf8Only() {
        UsableRule umlaut = rule("/ü").equalTo("ä").build();
        String body = "{\"ü\": \"ä\"}";

        assertThat(check(bytes(body), umlaut)).isEqualTo(Usability.USABLE);
        assertThat(check(bytes("\ufeff" + body), umlaut)).isEqualTo(Usability.USABLE);
        for (String charset : List.of("ISO-8859-1", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE")) {
            assertThat(check(body.getBytes(Charset.forName(charset)), umlaut))
                    .as(charset)
                    .isEqualTo(Usability.NOT_JSON);
        }
    }

    @Test
    void aCompressedBodyIsUnusable() throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes("{\"match\": true}"));
        }
        assertThat(check(compressed.toByteArray(), MATCH)).isEqualTo(Usability.NOT_JSON);

        List<Header> gzip = List.of(new Header("content-encoding", "gzip"));
        List<Header> identity = List.of(new Header("content-encoding", "Identity"));
        assertThat(usability(new Response(200, gzip, bytes("{\"match\": true}"), false, AttemptTiming.NONE), MATCH))
                .isEqualTo(Usability.NOT_JSON);
        assertThat(usability(new Response(200, identity, bytes("{\"match\": true}"), false, AttemptTiming.NONE), MATCH))
                .isEqualTo(Usability.USABLE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"match\": true                | USABLE",
                "{\"match\": true, \"a           | USABLE",
                "{\"match\": tr                  | TOO_LONG",
                "{\"match\":                     | TOO_LONG",
                "{\"mat                          | TOO_LONG",
                "{\"a\": \"match                 | TOO_LONG",
                "{\"a\": [                       | TOO_LONG",
                "[                               | NO_MATCH",
                "<html>                          | NOT_JSON",
            })
    void aTruncatedBodyIsUsableOnlyIfItHasTheWholeValue(String body, Usability expected) {
        assertThat(usability(new Response(200, List.of(), bytes(body), true, AttemptTiming.NONE), MATCH))
                .isEqualTo(expected);
    }

    @Test
    void aNumberAtTheEndOfATruncatedBodyMayHaveMoreDigits() {
        for (UsableRule rule :
                List.of(rule("/n").equalTo(12).build(), rule("").equalTo(12).build())) {
            String start = rule.json().pointer().matches() ? "" : "{\"n\": ";
            Response cut = new Response(200, List.of(), bytes(start + "12"), true, AttemptTiming.NONE);
            assertThat(usability(cut, rule)).isEqualTo(Usability.TOO_LONG);
        }
        assertThat(check("12", rule("").equalTo(12).build())).isEqualTo(Usability.USABLE);
        Response whole = new Response(200, List.of(), bytes("{\"n\": 12, \"b"), true, AttemptTiming.NONE);
        assertThat(usability(whole, rule("/n").equalTo(12).build())).isEqualTo(Usability.USABLE);
    }

    @Test
    void readsNoMoreBytesThanTheLimit() {
        byte[] body = bytes("{\"a\": \"" + "x".repeat(2_000) + "\", \"match\": true}");

        assertThat(UsableCheck.check(response(200, body), MATCH, 1_024).usability())
                .isEqualTo(Usability.TOO_LONG);
        assertThat(UsableCheck.check(response(200, body), MATCH, body.length).usability())
                .isEqualTo(Usability.USABLE);
    }

    @Test
    void deepJsonIsUnusableWithoutAStackOverflow() {
        String deep = "[".repeat(100_000);

        assertThat(check(deep, rule("").exists(true).build())).isEqualTo(Usability.USABLE);
        assertThat(check("{\"a\": " + deep, MATCH)).isEqualTo(Usability.NOT_JSON);
        assertThat(check("{\"a\":".repeat(40_000), MATCH)).isEqualTo(Usability.NOT_JSON);
        assertThat(check("{\"a\": " + "[".repeat(400) + "]".repeat(400) + ", \"match\": true}", MATCH))
                .isEqualTo(Usability.USABLE);
    }

    @Test
    void hugeNumbersAreComparedWithoutExpandingThem() {
        for (String number : List.of("1e999999999", "1" + "0".repeat(900), "0." + "0".repeat(900) + "1")) {
            assertThat(check("{\"n\": " + number + "}", rule("/n").equalTo(1).build()))
                    .isEqualTo(Usability.NO_MATCH);
        }
        assertThat(check("{\"n\": 1e999999999}", rule("/n").greater(1).build())).isEqualTo(Usability.USABLE);
        assertThat(check("{\"n\": 1e-999999999}", rule("/n").less(1).greater(0).build()))
                .isEqualTo(Usability.USABLE);
        assertThat(check("{\"n\": 1e99999999999}", rule("/n").greater(1).build()))
                .isEqualTo(Usability.NO_MATCH);
        assertThat(check(
                        "{\"n\": " + "9".repeat(200_000) + "}",
                        rule("/n").greater(1).build()))
                .isEqualTo(Usability.NOT_JSON);
        assertThat(check("{\"a\": " + "9".repeat(200_000) + ", \"match\": true}", MATCH))
                .isEqualTo(Usability.NOT_JSON);
    }

    @Test
    void longStringsAndNamesAreNotCompared() {
        String text = "x".repeat(200_000);

        assertThat(check("{\"v\": \"" + text + "\"}", rule("/v").equalTo("x").build()))
                .isEqualTo(Usability.NO_MATCH);
        assertThat(check("{\"v\": \"" + text + "\"}", rule("/v").exists(true).build()))
                .isEqualTo(Usability.USABLE);
        assertThat(check("{\"v\": \"" + text + "\", \"match\": true}", MATCH)).isEqualTo(Usability.USABLE);
        assertThat(check("{\"" + text + "\": 1, \"match\": true}", MATCH)).isEqualTo(Usability.NOT_JSON);
    }

    @Test
    void keepsTheRestOfTheResponse() {
        Response response = response(200, bytes("{\"match\": true}"));

        Response checked = UsableCheck.check(response, MATCH, MAX_BYTES);

        assertThat(checked).isEqualTo(response.withUsability(Usability.USABLE));
        assertThat(checked.isUsable()).isTrue();
        assertThat(response.isUsable()).isTrue();
        assertThat(response.withUsability(Usability.NO_MATCH).isUsable()).isFalse();
        assertThat(response(404, new byte[0]).isUsable()).isFalse();
    }

    private static UsableRuleBuilder rule(String pointer) {
        return UsableRule.builder().json(pointer);
    }

    private static Usability check(String body, UsableRule rule) {
        return check(bytes(body), rule);
    }

    private static Usability check(byte[] body, UsableRule rule) {
        return usability(response(200, body), rule);
    }

    private static Usability usability(Response response, UsableRule rule) {
        return UsableCheck.check(response, rule, MAX_BYTES).usability();
    }

    private static Response response(int status, byte[] body) {
        return new Response(status, List.of(), body, false, AttemptTiming.NONE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
