package io.iocluster.status.json;

import io.iocluster.status.StatusField;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Generates the JSON Schema of what {@link StatusMapper} writes. Immutable. */
final class StatusSchema {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Set<Class<?>> INTEGERS =
            Set.of(int.class, Integer.class, long.class, Long.class, Duration.class);
    private static final Set<Class<?>> FRACTIONS = Set.of(double.class, Double.class);

    private final Map<Class<?>, String> components;

    /**
     * Creates a generator for one document.
     *
     * @param components the names of the records that have a schema in the document; other schemas refer to it
     */
    StatusSchema(Map<Class<?>, String> components) {
        this.components = Map.copyOf(components);
    }

    /** Returns the schema of a record. */
    ObjectNode of(Class<?> type) {
        ObjectNode schema = NODES.objectNode().put("type", "object");
        ArrayNode required = schema.putArray("required");
        schema.put("additionalProperties", false);
        addFields(type, schema.putObject("properties"), required);
        return schema;
    }

    private void addFields(Class<?> type, ObjectNode properties, ArrayNode required) {
        for (RecordField field : RecordField.of(type)) {
            if (field.rule().inline() && field.type() instanceof ParameterizedType map) {
                addEntries(field.rule(), map, properties, required);
            } else if (field.rule().inline()) {
                addFields((Class<?>) field.type(), properties, required);
            } else {
                properties.set(
                        field.name(),
                        property(field.type(), field.rule(), field.rule().doc()));
                boolean isOptional =
                        raw(field.type()) == Optional.class && !field.rule().nullable();
                if (!isOptional) {
                    required.add(field.name());
                }
            }
        }
    }

    /** Adds a field for each constant of the enum that is the key of the map. */
    private void addEntries(StatusField rule, ParameterizedType map, ObjectNode properties, ArrayNode required) {
        Class<?> keys = (Class<?>) map.getActualTypeArguments()[0];
        for (Object each : keys.getEnumConstants()) {
            Enum<?> constant = (Enum<?>) each;
            properties.set(
                    RecordField.wireName(constant), property(map.getActualTypeArguments()[1], rule, doc(constant)));
            required.add(RecordField.wireName(constant));
        }
    }

    private static String doc(Enum<?> constant) {
        try {
            return constant.getDeclaringClass()
                    .getField(constant.name())
                    .getAnnotation(StatusField.class)
                    .doc();
        } catch (NoSuchFieldException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private ObjectNode property(Type type, StatusField rule, String doc) {
        ObjectNode schema = type(type, rule);
        if (rule.nullable()) {
            schema = orNull(schema);
        }
        return doc.isEmpty() ? schema : schema.put("description", doc);
    }

    private static ObjectNode orNull(ObjectNode schema) {
        if (schema.has("$ref")) {
            ObjectNode either = NODES.objectNode();
            either.putArray("oneOf").add(NODES.objectNode().put("type", "null")).add(schema);
            return either;
        }
        String type = schema.get("type").asString();
        schema.putArray("type").add(type).add("null");
        return schema;
    }

    private ObjectNode type(Type type, StatusField rule) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            ObjectNode element = type(arguments[arguments.length - 1], rule);
            if (raw(type) == Optional.class) {
                return element;
            }
            return raw(type) == Map.class
                    ? NODES.objectNode().put("type", "object").set("additionalProperties", element)
                    : NODES.objectNode().put("type", "array").set("items", element);
        }
        Class<?> value = (Class<?>) type;
        if (components.containsKey(value)) {
            return NODES.objectNode().put("$ref", "#/components/schemas/" + components.get(value));
        }
        return value.isRecord() && RecordField.of(value).size() > 0 ? of(value) : scalar(value, rule);
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
    }

    private static ObjectNode scalar(Class<?> type, StatusField rule) {
        if (INTEGERS.contains(type)) {
            return number("integer", rule);
        }
        if (FRACTIONS.contains(type)) {
            return number("number", rule);
        }
        if (type == boolean.class) {
            return NODES.objectNode().put("type", "boolean");
        }
        ObjectNode text = NODES.objectNode().put("type", "string");
        if (type == Instant.class) {
            return text.put("format", "date-time");
        }
        if (type.isEnum()) {
            ArrayNode words = text.putArray("enum");
            for (Object constant : type.getEnumConstants()) {
                words.add(RecordField.wireName((Enum<?>) constant));
            }
        }
        if (rule.values().length > 0) {
            ArrayNode words = text.putArray("enum");
            for (String each : rule.values()) {
                words.add(each);
            }
        }
        return rule.pattern().isEmpty() ? text : text.put("pattern", rule.pattern());
    }

    private static ObjectNode number(String type, StatusField rule) {
        ObjectNode number = NODES.objectNode().put("type", type);
        if (Double.isFinite(rule.min())) {
            number.put("minimum", (long) rule.min());
        }
        if (Double.isFinite(rule.max())) {
            number.put("maximum", (long) rule.max());
        }
        return number;
    }
}
