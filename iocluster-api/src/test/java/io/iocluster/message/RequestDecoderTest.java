package io.iocluster.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestDecoderTest {

    private final RequestDecoder decoder = new RequestDecoder(64 * 1024, 3);

    @Test
    void readsEveryFieldOfTheContract() {
        RequestEnvelope envelope = valid("""
                {"id": "7c9e6679", "method": "POST", "url": "https://partner.example/a?click=42",
                 "headers": {"Accept": "application/json", "X-Tag": ["a", "b"]}, "body": "tëxt \\ud83d\\ude80",
                 "timeoutMs": 1000, "deadlineMs": 5000, "retry": {"maxAttempts": 3}, "idempotencyKey": "k",
                 "auth": "partner-a", "reply": "failures", "replyTo": "elsewhere",
                 "context": {"a": [1, 2.50, null], "b": "ü"}}""");

        assertThat(envelope.id()).isEqualTo("7c9e6679");
        assertThat(envelope.method()).isEqualTo("POST");
        assertThat(envelope.url()).isEqualTo("https://partner.example/a?click=42");
        assertThat(envelope.headers())
                .containsExactly(
                        new Header("Accept", "application/json"), new Header("X-Tag", "a"), new Header("X-Tag", "b"));
        assertThat(envelope.body()).isEqualTo("tëxt 🚀".getBytes(StandardCharsets.UTF_8));
        assertThat(envelope.timeoutMs()).isEqualTo(1000);
        assertThat(envelope.deadlineMs()).isEqualTo(5000);
        assertThat(envelope.maxAttempts()).isEqualTo(3);
        assertThat(envelope.idempotencyKey()).isEqualTo("k");
        assertThat(envelope.auth()).isEqualTo("partner-a");
        assertThat(envelope.reply()).isEqualTo(ReplyMode.FAILURES);
        assertThat(envelope.replyTo()).isEqualTo("elsewhere");
        assertThat(envelope.context()).isEqualTo("{\"a\": [1, 2.50, null], \"b\": \"ü\"}");
    }

    @Test
    void requiresOnlyAUrl() {
        RequestEnvelope envelope = valid("{\"url\": \"http://h/\"}");

        assertThat(envelope)
                .isEqualTo(new RequestEnvelope(
                        null, "GET", "http://h/", List.of(), null, 0, 0, 0, null, null, ReplyMode.ALWAYS, null, null));
    }

    @Test
    void treatsNullAsAMissingField() {
        assertThat(valid("{\"url\": \"http://h/\", \"body\": null, \"retry\": null}")
                        .body())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{\"ü\": [ 1 ] }' | '{\"ü\": [ 1 ] }'",
                "[]                | []",
                "'[1,\n 2]'        | '[1,2]'",
                "'{\"a\":\r{}}'     | '{\"a\":{}}'",
                "1.50              | 1.50",
                "1.5e99999999999   | 1.5e99999999999",
                "'[1e99999999999,\n-0.10]' | '[1e99999999999,-0.10]'",
                "'\"t\\u00fc\"'     | '\"tü\"'",
                "true              | true",
                "null              | null",
            })
    void keepsTheContextOnOneLineAndOtherwiseUnchanged(String written, String kept) {
        assertThat(valid("{\"id\": \"ü\", \"context\": " + written + " , \"url\": \"http://h/\"}")
                        .context())
                .isEqualTo(kept);
    }

    @ParameterizedTest
    @CsvSource({
        "overlong slash, C0AF",
        "overlong NUL, C080",
        "overlong in three, E080AF",
        "overlong in four, F08080AF",
        "high surrogate, EDA080",
        "low surrogate, EDBFBF",
        "pair of surrogates, EDA0BDEDB280",
        "above U+10FFFF, F4908080",
        "far above, F8888080",
        "cut short in two, C3",
        "cut short in three, E282",
        "cut short in four, F09F9A",
        "continuation alone, BF",
    })
    void refusesMalformedUtf8AnywhereInTheEnvelope(String what, String hex) {
        String[] envelopes = {
            "{\"url\":\"http://h/\",\"id\":\"%\"}",
            "{\"url\":\"http://h/\",\"body\":\"%\"}",
            "{\"url\":\"http://h/\",\"context\":{\"a\":\"%\"}}",
            "{\"url\":\"http://h/\",\"headers\":{\"%\":\"a\"}}",
            "{\"url\":\"http://h/\",\"context\":{\"a\":\"" + "ü".repeat(5_000) + "%\"}}",
        };
        for (String envelope : envelopes) {
            assertThat(decoder.decode(withBytes(envelope, HexFormat.of().parseHex(hex))))
                    .as(what)
                    .isEqualTo(new DecodedRequest.Malformed("the envelope is not UTF-8"));
        }
    }

    @Test
    void readsUtf8SequencesOfEveryLength() {
        String text = "aü€🚀\u007f\u0080\u07ff\u0800\ud7ff\ue000\ufffd\uffff\udbff\udfff".repeat(500);

        assertThat(valid("{\"url\":\"http://h/\",\"body\":\"" + text + "\"}").body())
                .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] withBytes(String envelope, byte[] bytes) {
        byte[] placeholder = envelope.getBytes(StandardCharsets.UTF_8);
        int at = new String(placeholder, StandardCharsets.ISO_8859_1).indexOf('%');
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(placeholder, 0, at);
        out.writeBytes(bytes);
        out.write(placeholder, at + 1, placeholder.length - at - 1);
        return out.toByteArray();
    }

    @Test
    void readsABinaryBody() {
        assertThat(valid("{\"url\": \"http://h/\", \"bodyBase64\": \"AP8=\"}").body())
                .containsExactly(0, 0xff);
    }

    @Test
    void continuesAfterAnErrorToReadIdAndContextForTheAnswer() {
        DecodedRequest.Invalid invalid = invalid(
                "{\"timeoutMs\": 0, \"typo\": {\"x\": [1]}, \"url\": \"http://h/\", \"id\": \"i\", \"context\": 7}");

        assertThat(invalid.code()).isEqualTo(ErrorCode.INVALID_TIMEOUT);
        assertThat(invalid.envelope().id()).isEqualTo("i");
        assertThat(invalid.envelope().context()).isEqualTo("7");
    }

    @ParameterizedTest
    @CsvSource({"id, 1024", "auth, 100", "replyTo, 255"})
    void limitsTheLengthOfFieldsThatAnswersRepeat(String field, int maxChars) {
        String envelope = "{\"url\": \"http://h/\", \"%s\": \"%s\"}";

        valid(envelope.formatted(field, "x".repeat(maxChars)));
        DecodedRequest.Invalid invalid = invalid(envelope.formatted(field, "x".repeat(maxChars + 1)));

        assertThat(invalid.code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(invalid.message())
                .isEqualTo("%s has %d characters, over the limit of %d".formatted(field, maxChars + 1, maxChars));
        assertThat(invalid.envelope().id()).isNull();
        assertThat(invalid.envelope().auth()).isNull();
        assertThat(invalid.envelope().replyTo()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'url': 'http://h/', 'methd': 'GET'}                   | UNKNOWN_FIELD    | methd is not a field of the envelope",
                "{'url': 'http://h/', 'retry': {'max': 1}}              | UNKNOWN_FIELD    | max is not a field of retry",
                "{'url': 'http://h/', 'methd': null}                    | UNKNOWN_FIELD    | methd is not a field of the envelope",
                "{'url': 'http://h/', 'url': 'http://i/'}               | INVALID_ENVELOPE | url is given twice",
                "{'id': 'x'}                                            | INVALID_URL      | url is missing",
                "{'url': 7}                                             | INVALID_ENVELOPE | url must be a string",
                "{'url': 'http://h/', 'id': ''}                         | INVALID_ENVELOPE | id must not be empty",
                "{'url': 'http://h/', 'method': ['GET']}                | INVALID_ENVELOPE | method must be a string",
                "{'url': 'http://h/', 'headers': []}                    | INVALID_ENVELOPE | headers must be an object",
                "{'url': 'http://h/', 'headers': {'A': 1}}              | INVALID_HEADER   | headers must have strings or lists of strings as values",
                "{'url': 'http://h/', 'headers': {'A': [['b']]}}        | INVALID_HEADER   | headers must have strings or lists of strings as values",
                "{'url': 'http://h/', 'body': 'a', 'bodyBase64': 'YQ=='}| INVALID_BODY     | body and bodyBase64 are both given",
                "{'url': 'http://h/', 'bodyBase64': 'Y'}                | INVALID_BODY     | bodyBase64 is not base64",
                "{'url': 'http://h/', 'body': 'a\\udc00'}                | INVALID_BODY     | body is not valid Unicode: it has an unpaired surrogate",
                "{'url': 'http://h/', 'body': '\\ud83d'}                 | INVALID_BODY     | body is not valid Unicode: it has an unpaired surrogate",
                "{'url': 'http://h/', 'timeoutMs': -1}                  | INVALID_TIMEOUT  | timeoutMs must be a whole number of milliseconds, 1 or more",
                "{'url': 'http://h/', 'timeoutMs': '1'}                 | INVALID_TIMEOUT  | timeoutMs must be a whole number of milliseconds, 1 or more",
                "{'url': 'http://h/', 'timeoutMs': 1.5}                 | INVALID_TIMEOUT  | timeoutMs must be a whole number of milliseconds, 1 or more",
                "{'url': 'http://h/', 'deadlineMs': 99999999999999999999}| INVALID_TIMEOUT | deadlineMs must be a whole number of milliseconds, 1 or more",
                "{'url': 'http://h/', 'retry': 3}                       | INVALID_ENVELOPE | retry must be an object",
                "{'url': 'http://h/', 'retry': {'maxAttempts': 0}}      | INVALID_ENVELOPE | retry.maxAttempts must be a whole number from 1 to 100",
                "{'url': 'http://h/', 'reply': 'sometimes'}             | INVALID_ENVELOPE | reply must be one of always, failures, never",
            })
    void reportsTheErrorOfAnInvalidEnvelope(String json, ErrorCode code, String message) {
        DecodedRequest.Invalid invalid = invalid(json.replace('\'', '"'));

        assertThat(invalid.code()).isEqualTo(code);
        assertThat(invalid.message()).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "[]",
                "7",
                "null",
                "\"text\"",
                "{",
                "{\"url\": \"http://h/\"",
                "{\"url\": \"http://h/\"} x",
                "{\"url\": \"http://h/\"}{}",
                "{'url': 1}",
                "{\"url\": NaN}",
                "{\"url\": \"http://h/\",}",
                "/* c */ {\"url\": \"http://h/\"}",
                "{\"context\": {\"open\": [1, 2}}"
            })
    void reportsBytesThatAreNotAnEnvelope(String text) {
        assertThat(decode(text)).isInstanceOf(DecodedRequest.Malformed.class);
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        assertThat(decoder.decode(new byte[] {'{', '"', 'i', 'd', '"', ':', '"', (byte) 0xff, '"', '}'}))
                .isInstanceOf(DecodedRequest.Malformed.class);
        assertThat(decoder.decode("{\"url\": \"http://h/\"}".getBytes(StandardCharsets.UTF_16LE)))
                .isEqualTo(new DecodedRequest.Malformed("the envelope is not UTF-8 but in UTF-16: send it in UTF-8"));
        assertThat(decoder.decode("{\"url\": \"http://h/\"}".getBytes(StandardCharsets.UTF_16BE)))
                .isEqualTo(new DecodedRequest.Malformed("the envelope is not UTF-8 but in UTF-16: send it in UTF-8"));
    }

    @Test
    void refusesEnvelopesAboveTheLimitsOfDepthAndSize() {
        String deep = "[".repeat(10_000) + "]".repeat(10_000);
        assertThat(decode("{\"url\": \"http://h/\", \"context\": " + deep + "}"))
                .isInstanceOf(DecodedRequest.Malformed.class);
        assertThat(decode("{\"url\": \"http://h/\", \"typo\": " + deep + "}"))
                .isInstanceOf(DecodedRequest.Malformed.class);
        assertThat(decode("{\"url\": \"http://h/\", \"body\": \"" + "x".repeat(64 * 1024) + "\"}"))
                .isInstanceOf(DecodedRequest.Malformed.class);
    }

    @Test
    void readsAScatterEnvelope() {
        RequestEnvelope envelope = valid("""
                {"id": "i", "deadlineMs": 900, "reply": "failures", "context": 1, "url": null,
                 "any": [{"url": "http://a/", "timeoutMs": 300, "retry": {"maxAttempts": 1}},
                         {"method": "POST", "url": "http://b/", "headers": {"A": "1"}, "body": "t",
                          "idempotencyKey": "k", "auth": "partner"}]}""");

        assertThat(envelope.id()).isEqualTo("i");
        assertThat(envelope.url()).isNull();
        assertThat(envelope.deadlineMs()).isEqualTo(900);
        assertThat(envelope.scatter().mode()).isEqualTo(Scatter.GatherMode.ANY);
        assertThat(envelope.scatter().branches())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(
                        branch("GET", "http://a/", List.of(), null, 300, 1, null, null),
                        branch("POST", "http://b/", List.of(new Header("A", "1")), bytes("t"), 0, 0, "k", "partner"));
        assertThat(valid("{\"all\": [{\"url\": \"http://a/\"}]}").scatter().mode())
                .isEqualTo(Scatter.GatherMode.ALL);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"any\": {}'                                 | invalid-envelope | any must be a list",
                "'\"any\": []'                                 | invalid-envelope | any must have 1 to 3 branches, each an object",
                "'\"all\": [{\"url\": \"u\"}, 1]'              | invalid-envelope | all must have 1 to 3 branches, each an object",
                "'\"all\": [{}, {}, {}, {}]'                   | invalid-url      | all[0].url is missing",
                "'\"any\": [{\"url\": \"u\"}, {\"uri\": \"u\"}]' | unknown-field    | any[1].uri is not a field of a branch",
                "'\"any\": [{\"url\": \"u\", \"id\": \"b\"}]'    | unknown-field    | any[0].id is not a field of a branch",
                "'\"any\": [{\"url\": \"u\", \"all\": []}]'      | unknown-field    | any[0].all is not a field of a branch",
                "'\"any\": [{\"url\": \"u\", \"timeoutMs\": 0}]' | invalid-timeout  | 'any[0].timeoutMs must be a whole number of milliseconds, 1 or more'",
                "'\"any\": [{\"url\": \"u\"}], \"url\": \"v\"'   | invalid-envelope | url must be in each branch of any",
                "'\"retry\": {}, \"all\": [{\"url\": \"u\"}]'    | invalid-envelope | retry must be in each branch of all",
                "'\"any\": [{\"url\": \"u\"}], \"all\": [{\"url\": \"u\"}]' | invalid-envelope | any and all are both given",
            })
    void reportsTheErrorOfABranch(String fields, String code, String message) {
        DecodedRequest.Invalid invalid = invalid("{" + fields + ", \"id\": \"i\"}");

        assertThat(invalid.code().wireName()).isEqualTo(code);
        assertThat(invalid.message()).isEqualTo(message);
        assertThat(invalid.envelope().id()).isEqualTo("i");
    }

    @Test
    void refusesMoreBranchesThanAllowed() {
        String four = "{\"url\": \"u\"},".repeat(3) + "{\"url\": \"u\"}";

        assertThat(invalid("{\"any\": [" + four + "]}").message())
                .isEqualTo("any must have 1 to 3 branches, each an object");
    }

    @Test
    void readsAScatterEnvelopeOfTheEncoder() {
        RequestEnvelope written = valid("""
                {"id": "i", "all": [{"url": "http://a/", "timeoutMs": 300},
                                    {"method": "POST", "url": "http://b/", "bodyBase64": "AP8=", "auth": "a"}]}""");

        DecodedRequest read = decoder.decode(new RequestEncoder().encode(written));

        assertThat(((DecodedRequest.Valid) read).envelope())
                .usingRecursiveComparison()
                .isEqualTo(written);
    }

    private static RequestEnvelope branch(
            String method,
            String url,
            List<Header> headers,
            byte[] body,
            long timeoutMs,
            int maxAttempts,
            String idempotencyKey,
            String auth) {
        return new RequestEnvelope(
                null,
                method,
                url,
                headers,
                body,
                timeoutMs,
                0,
                maxAttempts,
                idempotencyKey,
                auth,
                ReplyMode.ALWAYS,
                null,
                null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void readsAnEnvelopeOfTheEncoder() {
        RequestEnvelope binary = new RequestEnvelope(
                "i",
                "PUT",
                "http://h/",
                List.of(new Header("a", "1"), new Header("b", "2"), new Header("a", "3")),
                new byte[] {(byte) 0xc3, 0x28},
                10,
                20,
                2,
                "k",
                "a",
                ReplyMode.NEVER,
                "r",
                "[1]");

        DecodedRequest read = decoder.decode(new RequestEncoder().encode(binary));

        assertThat(((DecodedRequest.Valid) read).envelope())
                .usingRecursiveComparison()
                .ignoringFields("headers")
                .isEqualTo(binary);
        assertThat(((DecodedRequest.Valid) read).envelope().headers())
                .containsExactlyInAnyOrderElementsOf(binary.headers());
    }

    @Test
    void hidesTheBodyFromLogs() {
        assertThat(valid("{\"url\": \"http://h/?secret\", \"body\": \"secret\"}")
                        .toString())
                .doesNotContain("secret");
    }

    private RequestEnvelope valid(String text) {
        return ((DecodedRequest.Valid) decode(text)).envelope();
    }

    private DecodedRequest.Invalid invalid(String text) {
        return (DecodedRequest.Invalid) decode(text);
    }

    private DecodedRequest decode(String text) {
        return decoder.decode(text.getBytes(StandardCharsets.UTF_8));
    }
}
