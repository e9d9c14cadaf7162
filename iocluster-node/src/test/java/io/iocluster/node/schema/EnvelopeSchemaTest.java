package io.iocluster.node.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.SentStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the schemas and the codec accept the same envelopes. */
class EnvelopeSchemaTest {

    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

    /** The envelopes that the clients of all languages test too. */
    private static final Path VECTORS = Schemas.FOLDER.resolve("../../clients/vectors");

    private final Schemas requests = Schemas.request();
    private final Schemas answers = Schemas.answer();
    private final RequestDecoder decoder = new RequestDecoder(64 * 1024, 3);
    private final AnswerEncoder encoder = new AnswerEncoder();

    static List<String> accepted() throws IOException {
        return Files.readAllLines(VECTORS.resolve("envelopes-valid.ndjson"));
    }

    /** Returns codes and envelopes. */
    static Stream<Arguments> rejected() throws IOException {
        return Files.readAllLines(VECTORS.resolve("envelopes-invalid.ndjson")).stream()
                .map(line -> Arguments.of((Object[]) line.split(" ", 2)));
    }

    static List<String> rejectedOnlyByTheCodec() throws IOException {
        try (var in = EnvelopeSchemaTest.class.getResourceAsStream("refused-only-by-the-codec.ndjson")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void acceptedRequestsAreValid(String request) {
        assertThat(decoder.decode(bytes(request))).isInstanceOf(DecodedRequest.Valid.class);
        assertThat(requests.problems(request)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void rejectedRequestsAreInvalid(String code, String request) {
        DecodedRequest read = decoder.decode(bytes(request));

        assertThat(read).isNotInstanceOf(DecodedRequest.Valid.class);
        assertThat(read instanceof DecodedRequest.Invalid invalid ? invalid.code() : ErrorCode.MALFORMED_ENVELOPE)
                .extracting(ErrorCode::wireName)
                .isEqualTo(code);
        assertThat(requests.problems(request)).isNotEmpty();
    }

    /** If a schema can express a rule later, move its line to the other file. */
    @ParameterizedTest
    @MethodSource("rejectedOnlyByTheCodec")
    void theCodecRejectsWhatTheSchemaCannotExpress(String request) {
        assertThat(decoder.decode(bytes(request))).isNotInstanceOf(DecodedRequest.Valid.class);
    }

    @ParameterizedTest
    @MethodSource("accepted")
    void encodedRequestsAreValid(String request) {
        DecodedRequest.Valid read = (DecodedRequest.Valid) decoder.decode(bytes(request));

        assertThat(requests.problems(new RequestEncoder().encode(read.envelope())))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("answersOfEveryKind")
    void encodedAnswersAreValid(Answer answer) {
        assertThat(answers.problems(encoder.encode(answer))).isEmpty();
    }

    static Stream<Answer> answersOfEveryKind() {
        Stream<Answer> failures = Arrays.stream(ErrorCode.values()).map(code -> failed(code, List.of()));
        byte[] text = bytes("tëxt");
        byte[] binary = {(byte) 0xc3, 0x28};
        Answer part = answered(404, List.of(), text, Answer.NO_BRANCH, List.of());
        return Stream.concat(
                failures,
                Stream.of(
                        answered(200, List.of(), new byte[0], Answer.NO_BRANCH, List.of()),
                        answered(
                                599,
                                List.of(new Header("a", "1"), new Header("b", "2"), new Header("a", "3")),
                                binary,
                                Answer.NO_BRANCH,
                                List.of()),
                        answered(200, List.of(), text, 1, List.of()),
                        answered(200, List.of(), text, 1, List.of()).withCache(new CacheUse(true, 7, true)),
                        part.withCache(CacheUse.MISS),
                        answered(0, List.of(), new byte[0], Answer.NO_BRANCH, List.of(part, part)),
                        failed(
                                ErrorCode.INCOMPLETE_RESULTS,
                                List.of(part, failed(ErrorCode.DEADLINE_EXCEEDED, List.of())))));
    }

    private static Answer answered(int status, List<Header> headers, byte[] body, int branch, List<Answer> results) {
        return new Answer(
                "i",
                Outcome.ANSWERED,
                status,
                headers,
                body,
                false,
                status >= 400 ? "status" : null,
                null,
                1,
                "node-1",
                new Timing(3, 104, 1, 2, 4, 101),
                "[1]",
                branch,
                results);
    }

    private static Answer failed(ErrorCode code, List<Answer> results) {
        return new Answer(
                "i",
                code.outcome(),
                0,
                List.of(),
                new byte[0],
                false,
                null,
                new CallError(code, "for people", SentStatus.MAYBE),
                2,
                "node-1",
                Timing.NONE,
                null,
                Answer.NO_BRANCH,
                results);
    }

    @Test
    void rejectsInvalidAnswers() {
        String good =
                new String(encoder.encode(answered(200, List.of(), bytes("t"), -1, List.of())), StandardCharsets.UTF_8);
        assertThat(answers.problems(good)).isEmpty();

        assertThat(List.of(
                        good.replace("\"answered\"", "\"won\""),
                        good.replace("\"status\":200", "\"status\":\"200\""),
                        good.replace("\"status\":200,", ""),
                        good.replace("\"body\":\"t\",", ""),
                        good.replace("\"truncated\":false,", ""),
                        good.replace("\"queuedMs\":3", "\"queuedMs\":-3"),
                        good.replace("\"answered\"", "\"failed\"")))
                .allSatisfy(bad -> {
                    assertThat(bad).isNotEqualTo(good);
                    assertThat(answers.problems(bad)).as(bad).isNotEmpty();
                });
    }

    @Test
    void acceptsUnknownFieldsInAnswers() {
        String newer = new String(encoder.encode(failed(ErrorCode.TIMEOUT, List.of())), StandardCharsets.UTF_8)
                .replaceFirst("\\{", "{\"new\": {\"a\": [1]}, ");

        assertThat(answers.problems(newer)).isEmpty();
        assertThat(new AnswerDecoder().decode(bytes(newer)).errorCode()).isEqualTo("timeout");
    }

    @Test
    void examplesInTheDocumentationAreValid() throws IOException {
        List<String> examples = examples();

        assertThat(examples).hasSize(6);
        for (String request : examples.subList(0, 3)) {
            assertThat(requests.problems(request)).as(request).isEmpty();
        }
        for (String answer : examples.subList(3, 6)) {
            assertThat(answers.problems(answer)).as(answer).isEmpty();
        }
    }

    /** Returns the examples of the documentation: three requests, then three answers. */
    static List<String> examples() throws IOException {
        String page = Files.readString(Schemas.FOLDER.resolveSibling("envelope.md"));
        return EXAMPLE.matcher(page).results().map(found -> found.group(1)).toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
