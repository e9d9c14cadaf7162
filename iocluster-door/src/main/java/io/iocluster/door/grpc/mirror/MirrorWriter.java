package io.iocluster.door.grpc.mirror;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.StrictJson;
import io.iocluster.v1.Header;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes messages as the JSON that they mirror. They have no unknown fields, because {@link MessageCheck} refuses these. Checks only what
 * JSON cannot express; the decoder of envelopes checks the rest. Thread-safe.
 */
public final class MirrorWriter {

    private static final int INITIAL_BYTES = 256;

    private final JsonFactory json = StrictJson.factory(Integer.MAX_VALUE);

    /**
     * Writes a message as JSON in UTF-8.
     *
     * @throws ProblemException if it has an unknown value, or a context that is not JSON
     */
    public byte[] write(Message message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(INITIAL_BYTES + message.getSerializedSize());
        try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
            writeObject(out, message);
        }
        return bytes.toByteArray();
    }

    private void writeObject(JsonGenerator out, Message message) {
        out.writeStartObject();
        message.getAllFields().forEach((field, value) -> {
            out.writeName(field.getJsonName());
            if (MirrorFields.isHeaders(field)) {
                writeHeaders(out, (List<?>) value);
            } else if (field.isRepeated()) {
                out.writeStartArray();
                ((List<?>) value).forEach(item -> writeValue(out, field, item));
                out.writeEndArray();
            } else {
                writeValue(out, field, value);
            }
        });
        out.writeEndObject();
    }

    private static void writeHeaders(JsonGenerator out, List<?> headers) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (Object each : headers) {
            Header header = (Header) each;
            values.computeIfAbsent(header.getName(), name -> new ArrayList<>(1)).add(header.getValue());
        }
        out.writeStartObject();
        values.forEach((name, all) -> {
            out.writeName(name);
            if (all.size() == 1) {
                out.writeString(all.get(0));
            } else {
                out.writeStartArray();
                all.forEach(out::writeString);
                out.writeEndArray();
            }
        });
        out.writeEndObject();
    }

    private void writeValue(JsonGenerator out, FieldDescriptor field, Object value) {
        switch (field.getJavaType()) {
            case STRING -> writeText(out, field, (String) value);
            case BYTE_STRING -> out.writeBinary(((ByteString) value).toByteArray());
            case INT -> out.writeNumber((int) value);
            case LONG -> out.writeNumber((long) value);
            case BOOLEAN -> out.writeBoolean((boolean) value);
            case DOUBLE -> writeNumber(out, field, (double) value);
            case ENUM -> writeEnum(out, field, (EnumValueDescriptor) value);
            case MESSAGE -> writeMessage(out, field, (Message) value);
            default -> throw new IllegalStateException("no writer for " + field.getFullName());
        }
    }

    private void writeText(JsonGenerator out, FieldDescriptor field, String text) {
        if (MirrorFields.isDocument(field)) {
            out.writeRawValue(checkedDocument(field, text));
        } else {
            out.writeString(text);
        }
    }

    /** Returns the document on one line. It is checked, because text after it would become fields of the envelope. */
    private String checkedDocument(FieldDescriptor field, String text) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != null) {
                String document = StrictJson.copyValue(json, parser);
                if (parser.nextToken() == null) {
                    return document;
                }
            }
        } catch (JacksonException invalid) {
            // Reported below.
        }
        throw refused(ErrorCode.INVALID_ENVELOPE, field.getName() + " must be a JSON document");
    }

    private static void writeNumber(JsonGenerator out, FieldDescriptor field, double number) {
        if (!Double.isFinite(number)) {
            throw refused(ErrorCode.INVALID_ENVELOPE, field.getName() + " must be a finite number");
        }
        out.writeNumber(number);
    }

    private static void writeEnum(JsonGenerator out, FieldDescriptor field, EnumValueDescriptor value) {
        if (value.getIndex() < 0) {
            throw refused(ErrorCode.INVALID_ENVELOPE, field.getName() + " has the unknown value " + value.getNumber());
        }
        out.writeString(MirrorFields.text(value));
    }

    private void writeMessage(JsonGenerator out, FieldDescriptor field, Message message) {
        if (!MirrorFields.isScalar(field)) {
            writeObject(out, message);
            return;
        }
        if (message.getAllFields().isEmpty()) {
            out.writeNull();
        }
        message.getAllFields().forEach((kind, value) -> writeValue(out, kind, value));
    }

    private static ProblemException refused(ErrorCode code, String message) {
        return new ProblemException(Problem.of(400, code.wireName(), message));
    }
}
