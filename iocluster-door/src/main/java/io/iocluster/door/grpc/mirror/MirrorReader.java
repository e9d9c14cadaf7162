package io.iocluster.door.grpc.mirror;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.iocluster.message.StrictJson;
import io.iocluster.v1.Header;
import io.iocluster.v1.Scalar;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads messages from the JSON that they mirror. Skips unknown fields, because newer nodes may add some. Thread-safe. */
public final class MirrorReader {

    private final JsonFactory json = StrictJson.factory(Integer.MAX_VALUE);
    private final Map<Descriptor, Map<String, FieldDescriptor>> fields = new ConcurrentHashMap<>();

    /**
     * Reads a JSON object in UTF-8.
     *
     * @param message receives the fields
     * @return the same builder
     * @throws IllegalArgumentException if the JSON is not valid, or a field has another type
     */
    public <B extends Message.Builder> B read(byte[] bytes, B message) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), bytes)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT, "the document");
            readObject(parser, message);
            expect(parser.nextToken() == null, "the end of the document");
            return message;
        } catch (JacksonException invalid) {
            throw new IllegalArgumentException(invalid.getOriginalMessage(), invalid);
        }
    }

    private static void expect(boolean valid, String what) {
        if (!valid) {
            throw new IllegalArgumentException(what + " has the wrong type");
        }
    }

    private Map<String, FieldDescriptor> fieldsOf(Descriptor type) {
        return fields.computeIfAbsent(type, any -> {
            Map<String, FieldDescriptor> byName = new HashMap<>();
            type.getFields().forEach(field -> byName.put(field.getJsonName(), field));
            return byName;
        });
    }

    private void readObject(JsonParser parser, Message.Builder message) {
        Map<String, FieldDescriptor> known = fieldsOf(message.getDescriptorForType());
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken token = parser.nextToken();
            FieldDescriptor field = known.get(name);
            if (field == null) {
                parser.skipChildren();
            } else if (MirrorFields.isDocument(field)) {
                message.setField(field, StrictJson.copyValue(json, parser));
            } else if (token != JsonToken.VALUE_NULL) {
                readField(parser, message, field);
            }
        }
    }

    private void readField(JsonParser parser, Message.Builder message, FieldDescriptor field) {
        if (MirrorFields.isHeaders(field)) {
            readHeaders(parser, message, field);
        } else if (field.isRepeated()) {
            expect(parser.currentToken() == JsonToken.START_ARRAY, field.getName());
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                message.addRepeatedField(field, value(parser, message, field));
            }
        } else {
            message.setField(field, value(parser, message, field));
        }
    }

    private static void readHeaders(JsonParser parser, Message.Builder message, FieldDescriptor field) {
        expect(parser.currentToken() == JsonToken.START_OBJECT, field.getName());
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (parser.nextToken() == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    message.addRepeatedField(field, header(parser, name));
                }
            } else {
                message.addRepeatedField(field, header(parser, name));
            }
        }
    }

    private static Header header(JsonParser parser, String name) {
        expect(parser.currentToken() == JsonToken.VALUE_STRING, "headers");
        return Header.newBuilder().setName(name).setValue(parser.getString()).build();
    }

    private Object value(JsonParser parser, Message.Builder message, FieldDescriptor field) {
        JsonToken token = parser.currentToken();
        return switch (field.getJavaType()) {
            case STRING -> {
                expect(
                        token == JsonToken.VALUE_STRING || (token.isNumeric() && MirrorFields.mayBeNumber(field)),
                        field.getName());
                yield parser.getString();
            }
            case BYTE_STRING -> {
                expect(token == JsonToken.VALUE_STRING, field.getName());
                yield ByteString.copyFrom(Base64.getDecoder().decode(parser.getString()));
            }
            case INT -> {
                expect(token == JsonToken.VALUE_NUMBER_INT, field.getName());
                yield parser.getIntValue();
            }
            case LONG -> {
                expect(token == JsonToken.VALUE_NUMBER_INT, field.getName());
                yield parser.getLongValue();
            }
            case BOOLEAN -> {
                expect(token.isBoolean(), field.getName());
                yield parser.getBooleanValue();
            }
            case DOUBLE -> {
                expect(token.isNumeric(), field.getName());
                yield parser.getDoubleValue();
            }
            case ENUM -> enumValue(parser, field.getEnumType());
            case MESSAGE -> {
                if (MirrorFields.isScalar(field)) {
                    yield scalar(parser);
                }
                expect(token == JsonToken.START_OBJECT, field.getName());
                Message.Builder inner = message.newBuilderForField(field);
                readObject(parser, inner);
                yield inner.build();
            }
            default -> throw new IllegalStateException("no reader for " + field.getFullName());
        };
    }

    private static EnumValueDescriptor enumValue(JsonParser parser, EnumDescriptor type) {
        EnumValueDescriptor value =
                parser.currentToken() == JsonToken.VALUE_STRING ? MirrorFields.value(type, parser.getString()) : null;
        expect(value != null, type.getName());
        return value;
    }

    private static Scalar scalar(JsonParser parser) {
        JsonToken token = parser.currentToken();
        Scalar.Builder scalar = Scalar.newBuilder();
        if (token == JsonToken.VALUE_STRING) {
            return scalar.setText(parser.getString()).build();
        }
        if (token.isBoolean()) {
            return scalar.setFlag(parser.getBooleanValue()).build();
        }
        expect(token.isNumeric(), "a value");
        boolean whole = token == JsonToken.VALUE_NUMBER_INT && parser.getNumberType() != NumberType.BIG_INTEGER;
        return whole
                ? scalar.setInteger(parser.getLongValue()).build()
                : scalar.setNumber(parser.getDoubleValue()).build();
    }
}
