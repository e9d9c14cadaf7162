package io.iocluster.node.config.binding;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates a JSON Schema of settings records, so that an editor completes the keys of a file and marks errors. The binder remains
 * stricter: it also checks ranges and relations between keys.
 */
public final class SettingsSchema {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String REFERENCE = "^\\$\\{.*";

    private SettingsSchema() {}

    /** Returns the schema of a file with this root, as JSON with a line break at the end. */
    public static String of(Class<? extends Record> root, String id, String title) {
        ObjectNode schema = NODES.objectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("$id", id)
                .put("title", title);
        schema.setAll(section(root));
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema)
                + "\n";
    }

    private static ObjectNode section(Class<?> section) {
        ObjectNode object = NODES.objectNode().put("type", "object").put("additionalProperties", false);
        ArrayNode required = NODES.arrayNode();
        ObjectNode properties = NODES.objectNode();
        for (SettingKey key : SettingKey.of(section)) {
            ObjectNode property = type(key.type());
            property.put("description", key.setting().doc());
            properties.set(key.name(), property);
            if (isRequired(key)) {
                required.add(key.name());
            }
        }
        if (!required.isEmpty()) {
            object.set("required", required);
        }
        object.set("properties", properties);
        return object;
    }

    private static boolean isRequired(SettingKey key) {
        return !key.isSection()
                && !key.isCollection()
                && key.setting().value().isEmpty()
                && key.setting().inherits().isEmpty();
    }

    private static ObjectNode type(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            ObjectNode element = type(arguments[arguments.length - 1]);
            ObjectNode collection = NODES.objectNode();
            if (generic.getRawType() == Map.class) {
                collection.put("type", "object").set("additionalProperties", element);
            } else {
                collection.put("type", "array").set("items", element);
            }
            return collection;
        }
        return SettingKey.isSection(type) ? section((Class<?>) type) : scalar((Class<?>) type);
    }

    private static ObjectNode scalar(Class<?> type) {
        if (type == int.class || type == long.class) {
            return orReference(NODES.objectNode().put("type", "integer"));
        }
        if (type == double.class) {
            return orReference(NODES.objectNode().put("type", "number"));
        }
        if (type == boolean.class) {
            return orReference(NODES.objectNode().put("type", "boolean"));
        }
        if (type == Duration.class) {
            return orReference(text("^-?[0-9]{1,12} *(ms|s|m|h|d)$"));
        }
        if (type == Rate.class) {
            return orReference(text("^([0-9]{1,9} */ *[smh]|unlimited)$"));
        }
        if (type == DataSize.class) {
            return orReference(text("^[0-9].*$"));
        }
        if (type == StatusPattern.class) {
            ObjectNode either = NODES.objectNode();
            either.putArray("anyOf")
                    .add(NODES.objectNode()
                            .put("type", "integer")
                            .put("minimum", 100)
                            .put("maximum", 599))
                    .add(text("^[1-5]([0-9][0-9]|xx)$"));
            return either;
        }
        if (type.isEnum()) {
            ObjectNode words = NODES.objectNode();
            ArrayNode known = words.putArray("enum");
            ScalarFormat.words(type).forEach(known::add);
            return orReference(words);
        }
        // A scalar that YAML reads as a number or as true is valid text.
        ObjectNode any = NODES.objectNode();
        any.putArray("type").add("string").add("number").add("boolean");
        return any;
    }

    private static ObjectNode text(String pattern) {
        return NODES.objectNode().put("type", "string").put("pattern", pattern);
    }

    /** Allows a reference such as ${NAME} instead of the value. */
    private static ObjectNode orReference(ObjectNode schema) {
        ObjectNode either = NODES.objectNode();
        either.putArray("anyOf").add(schema).add(text(REFERENCE));
        return either;
    }
}
