package io.iocluster.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.usable.JsonScalar;
import io.iocluster.message.usable.Presence;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.settings.StatusPattern;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the field {@code usable} of the envelope. */
class UsableFieldTest {

    private final RequestDecoder decoder = new RequestDecoder(8 * 1024 * 1024, 3);

    @Test
    void readsEveryPredicate() {
        UsableRule rule = rule("""
                {"status": [200, "3xx"],
                 "json": {"pointer": "/a~1b/0", "equals": "x", "exists": true, "in": [1, "x", false],
                          "less": 1e3, "greater": -2.5}}""");

        assertThat(rule.status()).containsExactly(StatusPattern.parse("200"), StatusPattern.parse("3xx"));
        assertThat(rule.json().pointer()).hasToString("/a~1b/0");
        assertThat(rule.json().equals()).isEqualTo(new JsonScalar("x"));
        assertThat(rule.json().exists()).isEqualTo(Presence.TRUE);
        assertThat(rule.json().in()).extracting(JsonScalar::toString).containsExactly("1", "x", "false");
        assertThat(rule.json().less()).hasToString("1E+3");
        assertThat(rule.json().greater()).hasToString("-2.5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"status\": [204]}",
                "{\"status\": [\"2xx\", 404]}",
                "{\"json\": {\"exists\": false}}",
                "{\"json\": {\"pointer\": \"/match\", \"equals\": true}}",
                "{\"json\": {\"pointer\": \"/ü/\\\"\", \"equals\": \"\"}, \"status\": null}",
                "{\"json\": {\"pointer\": \"\", \"in\": [1.50, \"1\", true], \"less\": 2, \"greater\": 0}}",
            })
    void isEncodedAsItWasRead(String written) {
        RequestEnvelope envelope = valid(written);

        DecodedRequest again = decoder.decode(new RequestEncoder().encode(envelope));

        assertThat(((DecodedRequest.Valid) again).envelope()).isEqualTo(envelope);
    }

    @Test
    void belongsToEachBranch() {
        String branch = "{\"url\":\"http://h/\",\"usable\":{\"status\":[200]}}";

        RequestEnvelope envelope =
                ((DecodedRequest.Valid) decode("{\"any\":[" + branch + ",{\"url\":\"http://h/\"}]}")).envelope();

        assertThat(envelope.scatter().branches().get(0).usable().acceptsStatus(204))
                .isFalse();
        assertThat(envelope.scatter().branches().get(1).usable()).isNull();
        DecodedRequest beside = decode("{\"any\":[" + branch + "],\"usable\":{\"status\":[200]}}");
        assertThat(((DecodedRequest.Invalid) beside).message()).isEqualTo("usable must be in each branch of any");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7                                     | usable must be an object",
                "{}                                    | usable must have a status or a condition for json",
                "{\"json\": {}}                        | usable.json needs at least one of equals, exists, in, less, greater",
                "{\"json\": {\"pointer\": \"/a\"}}     | usable.json needs at least one of equals, exists, in, less, greater",
                "{\"json\": {\"pointer\": \"\"}}       | usable.json needs at least one of equals, exists, in, less, greater",
                "{\"json\": [{}]}                      | usable.json must be an object",
                "{\"status\": 200}                     | usable.status must be a list",
                "{\"status\": []}                      | usable.status must have 1 to 32 values: 0",
                "{\"status\": [99]}                    | usable.status[0] is not an HTTP status such as 404, or a class such as 5xx: 99",
                "{\"status\": [200, [1]]}              | 'usable.status[1] must be an HTTP status such as 200, or a class such as \"2xx\"'",
                "{\"json\": {\"pointer\": 1}}          | usable.json.pointer must be a string",
                "{\"json\": {\"pointer\": \"a\"}}      | usable.json.pointer must be a JSON Pointer, which is empty or starts with /: a",
                "{\"json\": {\"pointer\": \"/~2\"}}    | usable.json.pointer must be a JSON Pointer, which writes ~ as ~0 and / as ~1: /~2",
                "{\"json\": {\"equals\": [1]}}         | usable.json.equals must be a string, a number, true or false",
                "{\"json\": {\"in\": [null]}}          | usable.json.in[0] must be a string, a number, true or false",
                "{\"json\": {\"in\": []}}              | usable.json.in must have 1 to 100 values: 0",
                "{\"json\": {\"in\": {\"a\": 1}}}      | usable.json.in must be a list",
                "{\"json\": {\"exists\": \"yes\"}}     | usable.json.exists must be true or false",
                "{\"json\": {\"less\": \"7\"}}         | usable.json.less must be a number: \"7\"",
                "{\"json\": {\"greater\": true}}       | usable.json.greater must be a number: true",
                "{\"json\": {\"less\": 1e99999999999}} | usable.json.less is a number out of range",
                "{\"json\": {\"exists\": true, \"exists\": true}} | usable.json.exists is given twice",
            })
    void isRefusedIfItIsNotARule(String usable, String message) {
        DecodedRequest.Invalid invalid = invalid(usable);

        assertThat(invalid.code()).isEqualTo(ErrorCode.INVALID_ENVELOPE);
        assertThat(invalid.message()).isEqualTo(message);
        assertThat(invalid.envelope().id()).isEqualTo("after");
    }

    @Test
    void hasNoUnknownFields() {
        assertThat(invalid("{\"json\": {\"equal\": [1, {}]}}"))
                .satisfies(typo -> assertThat(typo.code()).isEqualTo(ErrorCode.UNKNOWN_FIELD))
                .satisfies(typo -> assertThat(typo.message()).isEqualTo("usable.json.equal is not a field of usable"));
        assertThat(invalid("{\"statuses\": [200]}").code()).isEqualTo(ErrorCode.UNKNOWN_FIELD);
    }

    @Test
    void isRefusedIfAPointerIsAMegabyteLong() {
        DecodedRequest.Invalid invalid =
                invalid("{\"json\": {\"exists\": true, \"pointer\": \"" + "/a".repeat(512 * 1024) + "\"}}");

        assertThat(invalid.message()).isEqualTo("usable.json.pointer must have at most 1024 characters: 1048576");
    }

    @Test
    void isRefusedIfAListHasAHundredThousandValues() {
        String values = IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(","));

        DecodedRequest.Invalid invalid = invalid("{\"json\": {\"in\": [" + values + "]}}");

        assertThat(invalid.message()).isEqualTo("usable.json.in must have 1 to 100 values: 100000");
    }

    @Test
    void isRefusedIfAValueIsLong() {
        assertThat(invalid("{\"json\": {\"equals\": \"" + "x".repeat(257) + "\"}}")
                        .message())
                .isEqualTo("usable.json.equals must have at most 256 characters: 257");
        assertThat(invalid("{\"json\": {\"greater\": 1" + "0".repeat(300) + "}}")
                        .message())
                .isEqualTo("usable.json.greater must have at most 256 characters: 301");
    }

    @Test
    void countsForTheMemoryOfTheMessage() {
        RequestEnvelope plain = valid("null");
        RequestEnvelope large = valid("{\"json\": {\"equals\": \"" + "x".repeat(256) + "\"}}");

        assertThat(large.heapBytes() - plain.heapBytes()).isGreaterThan(512);
    }

    private UsableRule rule(String usable) {
        return valid(usable).usable();
    }

    private RequestEnvelope valid(String usable) {
        DecodedRequest decoded = decode("{\"url\": \"http://h/\", \"usable\": " + usable + "}");
        assertThat(decoded).isInstanceOf(DecodedRequest.Valid.class);
        return ((DecodedRequest.Valid) decoded).envelope();
    }

    private DecodedRequest.Invalid invalid(String usable) {
        return (DecodedRequest.Invalid)
                decode("{\"url\": \"http://h/\", \"usable\": " + usable + ", \"id\": \"after\"}");
    }

    private DecodedRequest decode(String envelope) {
        return decoder.decode(envelope.getBytes(StandardCharsets.UTF_8));
    }
}
