package io.iocluster.node.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.iocluster.door.grpc.mirror.MirrorReader;
import io.iocluster.door.grpc.mirror.MirrorWriter;
import io.iocluster.door.http.ProblemException;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.StrictJson;
import io.iocluster.v1.Answer;
import io.iocluster.v1.Envelope;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Compares the messages of gRPC with the JSON Schemas: the fields, their types, and what a round trip keeps. */
class ProtobufMirrorTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final MirrorReader reader = new MirrorReader();
    private final MirrorWriter writer = new MirrorWriter();
    private final RequestDecoder decoder = new RequestDecoder(64 * 1024, 3);

    /** The schema of each message, as a file and a pointer. */
    static Stream<Arguments> schemas() {
        return Stream.of(
                schema("request", "", Envelope.getDescriptor()),
                schema("request", "/$defs/branch", io.iocluster.v1.Branch.getDescriptor()),
                schema("request", "/$defs/retry", io.iocluster.v1.Retry.getDescriptor()),
                schema("request", "/$defs/usable", io.iocluster.v1.Usable.getDescriptor()),
                schema("request", "/$defs/usable/properties/json", io.iocluster.v1.JsonCondition.getDescriptor()),
                schema("answer", "", Answer.getDescriptor()),
                schema("answer", "/$defs/result", io.iocluster.v1.Result.getDescriptor()),
                schema("answer", "/$defs/error", io.iocluster.v1.CallError.getDescriptor()),
                schema("answer", "/$defs/cache", io.iocluster.v1.Cache.getDescriptor()),
                schema("answer", "/$defs/timing", io.iocluster.v1.Timing.getDescriptor()));
    }

    private static Arguments schema(String file, String pointer, Descriptor message) {
        return Arguments.of(file, pointer, message);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("schemas")
    void theMessageHasTheFieldsOfTheSchemaWithTheirTypes(String file, String pointer, Descriptor message)
            throws IOException {
        JsonNode document = document(file);
        Map<String, String> inSchema = new TreeMap<>();
        properties(document, document.at(pointer))
                .forEach((name, property) ->
                        inSchema.put(name, types(document, property).toString()));

        Map<String, String> inMessage = new TreeMap<>();
        message.getFields()
                .forEach(field ->
                        inMessage.put(field.getJsonName(), jsonTypes(field).toString()));

        assertThat(inMessage).isNotEmpty().isEqualTo(inSchema);
    }

    private static JsonNode document(String file) throws IOException {
        return JSON.readTree(Files.readAllBytes(Schemas.FOLDER.resolve(file + ".schema.json")));
    }

    private static Map<String, JsonNode> properties(JsonNode document, JsonNode schema) {
        Map<String, JsonNode> found = new TreeMap<>();
        for (JsonNode part : schema.path("allOf")) {
            JsonNode resolved = resolve(document, part);
            if (resolved.has("properties") && resolved.path("type").asString("").equals("object")) {
                found.putAll(properties(document, resolved));
            }
        }
        schema.path("properties").forEachEntry(found::put);
        return found;
    }

    private static JsonNode resolve(JsonNode document, JsonNode schema) {
        return schema.has("$ref") ? document.at(schema.get("$ref").asString("").substring(1)) : schema;
    }

    /** Returns the JSON types that a value of the schema may have, without null. A list also has those of its items, an enum its values. */
    private static Set<String> types(JsonNode document, JsonNode property) {
        Set<String> types = new TreeSet<>();
        collectTypes(document, property, types);
        types.remove("null");
        return types.isEmpty() ? Set.of("any") : types;
    }

    private static void collectTypes(JsonNode document, JsonNode property, Set<String> types) {
        JsonNode schema = resolve(document, property);
        schema.path("type").forEach(each -> types.add(each.asString("")));
        if (schema.path("type").isString()) {
            types.add(schema.get("type").asString(""));
        }
        schema.path("anyOf").forEach(each -> collectTypes(document, each, types));
        schema.path("enum").forEach(value -> types.add(value.isNull() ? "null" : "=" + value.asString("")));
        if (schema.has("const")) {
            types.add("boolean");
        }
        if (schema.has("contentEncoding")) {
            types.add("base64");
        }
        if (schema.has("items")) {
            types(document, schema.get("items")).forEach(each -> types.add("of " + each));
        }
    }

    private static Set<String> jsonTypes(FieldDescriptor field) {
        if (field.getName().equals("context")) {
            return Set.of("any");
        }
        if (field.isRepeated()) {
            return repeatedTypes(field);
        }
        return switch (field.getJavaType()) {
            case INT, LONG -> Set.of("integer");
            case BOOLEAN -> Set.of("boolean");
            case DOUBLE -> Set.of("number");
            case STRING -> Set.of("string");
            case BYTE_STRING -> new TreeSet<>(Set.of("string", "base64"));
            case ENUM -> values(field.getEnumType());
            case MESSAGE -> isScalar(field) ? scalarTypes() : Set.of("object");
            case FLOAT -> throw new AssertionError("JSON has no such type: " + field);
        };
    }

    private static Set<String> repeatedTypes(FieldDescriptor field) {
        if (field.getJavaType() == JavaType.MESSAGE
                && field.getMessageType().getName().equals("Header")) {
            return Set.of("object");
        }
        Set<String> types = new TreeSet<>(Set.of("array"));
        if (field.getJavaType() == JavaType.MESSAGE) {
            (isScalar(field) ? scalarTypes() : Set.of("object")).forEach(each -> types.add("of " + each));
        } else {
            // A status may be a number in JSON.
            types.addAll(Set.of("of integer", "of string"));
        }
        return types;
    }

    private static boolean isScalar(FieldDescriptor field) {
        return field.getMessageType().getName().equals("Scalar");
    }

    private static Set<String> scalarTypes() {
        return new TreeSet<>(Set.of("string", "number", "boolean"));
    }

    private static Set<String> values(EnumDescriptor type) {
        Set<String> values = new TreeSet<>();
        type.getValues().stream().skip(1).forEach(value -> {
            String text = value.getName().substring(type.getName().length() + 1);
            values.add("=" + (type.getName().equals("Method") ? text : text.toLowerCase(Locale.ROOT)));
        });
        return values;
    }

    /** The accepted requests of the schema test, and the examples of the documentation. */
    static List<String> requests() throws IOException {
        List<String> requests = new ArrayList<>(EnvelopeSchemaTest.accepted());
        requests.addAll(EnvelopeSchemaTest.examples().subList(0, 3));
        return requests;
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRequestIsTheSameAfterARoundTrip(String json) throws IOException {
        Envelope message = Envelope.parseFrom(
                reader.read(bytes(json), Envelope.newBuilder()).build().toByteArray());

        byte[] written = writer.write(message);

        assertThat(Schemas.request().problems(written)).isEmpty();
        // A context may lose spaces, and 10 is equal to 10.0.
        assertThat(decode(written))
                .usingRecursiveComparison()
                .withComparatorForFields(
                        Comparator.nullsFirst(Comparator.comparing(ProtobufMirrorTest::minified)), "envelope.context")
                .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                .isEqualTo(decode(bytes(json)));
    }

    private static String minified(String json) {
        return StrictJson.minify(StrictJson.factory(1_000), json);
    }

    private DecodedRequest decode(byte[] json) {
        DecodedRequest decoded = decoder.decode(json);
        assertThat(decoded).isInstanceOf(DecodedRequest.Valid.class);
        return decoded;
    }

    static Stream<String> answers() throws IOException {
        AnswerEncoder encoder = new AnswerEncoder();
        Stream<String> encoded = EnvelopeSchemaTest.answersOfEveryKind()
                .map(answer -> new String(encoder.encode(answer), StandardCharsets.UTF_8));
        return Stream.concat(encoded, EnvelopeSchemaTest.examples().subList(3, 6).stream());
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anAnswerIsTheSameAfterARoundTrip(String json) throws IOException {
        Answer message = Answer.parseFrom(
                reader.read(bytes(json), Answer.newBuilder()).build().toByteArray());

        JsonNode written = JSON.readTree(writer.write(message));

        assertThat(written).isEqualTo(withoutEmptyHeaders(JSON.readTree(json)));
    }

    /** No headers and an empty list of headers are the same in a message. */
    private static JsonNode withoutEmptyHeaders(JsonNode answer) {
        for (JsonNode part : answer.has("results") ? answer.get("results") : List.of(answer)) {
            if (part.path("headers").isEmpty()) {
                ((ObjectNode) part).remove("headers");
            }
        }
        return answer;
    }

    @Test
    void readsAnswersOfNewerNodes() {
        Answer answer = reader.read(
                        bytes("{\"id\": \"a\", \"outcome\": \"answered\", \"new\": {\"a\": [1]}, \"attempts\": 2}"),
                        Answer.newBuilder())
                .build();

        assertThat(answer.getAttempts()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"id\": 5}",
                "{\"outcome\": \"won\"}",
                "{\"outcome\": \"ANSWERED\"}",
                "{\"attempts\": \"2\"}",
                "{\"status\": 1.5}",
                "{\"bodyBase64\": \"%\"}",
                "{\"headers\": {\"a\": 1}}",
                "{\"results\": [1]}",
                "{\"id\": \"a\"} {}",
                "{\"id\": \"a\""
            })
    void refusesWhatIsNoAnswer(String json) {
        assertThatThrownBy(() -> reader.read(bytes(json), Answer.newBuilder()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "1 2", "1, \"url\": \"http://evil.example/\"", "not JSON"})
    void refusesAContextThatIsNotOneJsonDocument(String context) {
        Message envelope =
                Envelope.newBuilder().setUrl("http://h/").setContext(context).build();

        assertThatThrownBy(() -> writer.write(envelope))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().code()).isEqualTo("invalid-envelope"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
