package io.iocluster.status.json;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes the fields of a status record. Stateless. */
final class RecordSerializer extends StdSerializer<Record> {

    RecordSerializer() {
        super(Record.class);
    }

    @Override
    public void serialize(Record status, JsonGenerator json, SerializationContext context) {
        json.writeStartObject();
        writeFields(status, json, context);
        json.writeEndObject();
    }

    private static void writeFields(Record status, JsonGenerator json, SerializationContext context) {
        for (RecordField field : RecordField.of(status.getClass())) {
            Object value = field.value(status);
            boolean isLeftOut = value instanceof Optional<?> optional
                    && optional.isEmpty()
                    && !field.rule().nullable();
            if (field.rule().inline()) {
                writeInline(value, json, context);
            } else if (!isLeftOut) {
                json.writeName(field.name());
                write(value instanceof Optional<?> optional ? optional.orElse(null) : value, json, context);
            }
        }
    }

    private static void writeInline(Object value, JsonGenerator json, SerializationContext context) {
        if (value instanceof Map<?, ?> map) {
            writeEntries(map, json, context);
        } else {
            writeFields((Record) value, json, context);
        }
    }

    private static void write(Object value, JsonGenerator json, SerializationContext context) {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            writeEntries(map, json, context);
            json.writeEndObject();
        } else {
            context.writeValue(json, value);
        }
    }

    /** Writes the entries in the order of their keys, because most maps have none. */
    private static void writeEntries(Map<?, ?> map, JsonGenerator json, SerializationContext context) {
        new TreeMap<Object, Object>(map).forEach((key, value) -> {
            json.writeName(key instanceof Enum<?> constant ? RecordField.wireName(constant) : key.toString());
            context.writeValue(json, value);
        });
    }
}
