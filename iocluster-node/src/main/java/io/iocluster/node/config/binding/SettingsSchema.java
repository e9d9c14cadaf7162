package io.iocluster.node.config.binding;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Generates a JSON Schema of settings records, so that an editor completes the keys of a file and marks errors. It accepts every file
 * that the binder accepts. The binder is stricter: it also checks ranges and relations between keys. Confined to one schema.
 */
public final class SettingsSchema {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final YAMLMapper YAML = new YAMLMapper();
    /** Text with a reference such as ${NAME}, which may stand for any value. */
    private static final String REFERENCE = "\\$\\{";

    private static final Pattern MARKDOWN_LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    /** The schemas of the scalar types that the records use, by name. */
    private final ObjectNode definitions = NODES.objectNode();

    private SettingsSchema() {}

    /** Returns the schema of a file with this root, as JSON with a line break at the end. */
    public static String of(Class<? extends Record> root, String id, String title) {
        SettingsSchema settings = new SettingsSchema();
        ObjectNode schema = NODES.objectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("$id", id)
                .put("title", title);
        schema.setAll(settings.section(root, ""));
        schema.set("$defs", settings.definitions);
        return JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build()
                        .writeValueAsString(schema)
                + "\n";
    }

    private ObjectNode section(Class<?> section, String peer) {
        ObjectNode object = types("object", "null").put("additionalProperties", false);
        ArrayNode required = NODES.arrayNode();
        ObjectNode properties = NODES.objectNode();
        for (SettingKey key : SettingKey.of(section)) {
            ObjectNode property = type(key.type(), key.setting().peer());
            property.put("description", description(key, peer));
            defaultOf(key).ifPresent(value -> property.set("default", value));
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

    private static String description(SettingKey key, String peer) {
        String text =
                MARKDOWN_LINK.matcher(key.setting().doc()).replaceAll("$1").replace("{peer}", peer);
        String origin = key.setting().inherits();
        return origin.isEmpty() || key.isCollection() ? text : text + " Default: as `" + origin + "`.";
    }

    private static Optional<JsonNode> defaultOf(SettingKey key) {
        String value = key.setting().value();
        return value.isEmpty() ? Optional.empty() : Optional.of(YAML.readTree(value));
    }

    private static boolean isRequired(SettingKey key) {
        return !key.isSection()
                && !key.isCollection()
                && key.setting().value().isEmpty()
                && key.setting().inherits().isEmpty();
    }

    private ObjectNode type(Type type, String peer) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            ObjectNode element = type(arguments[arguments.length - 1], peer);
            // A list or a map may be one text: in YAML's flow style, or a reference. A list may also have commas.
            ObjectNode collection;
            if (generic.getRawType() == Map.class) {
                collection = types("object", "string", "null");
                collection.set("additionalProperties", element);
            } else {
                collection = types("array", "string", "number", "boolean", "null");
                collection.set("items", element);
            }
            return collection;
        }
        return SettingKey.isSection(type) ? section((Class<?>) type, peer) : scalar((Class<?>) type);
    }

    /** Returns a reference to the definition of a scalar type, which is added if it is missing. */
    private ObjectNode scalar(Class<?> type) {
        if (type == int.class || type == long.class) {
            return reference("integer", value("[-+]?[0-9]+", "integer"));
        }
        if (type == double.class) {
            return reference("number", value("[-+]?[0-9.]+([eE][-+]?[0-9]+)?", "number"));
        }
        if (type == boolean.class) {
            return reference("boolean", value("true|false", "boolean"));
        }
        if (type == Duration.class) {
            return reference("duration", value("-?[0-9]{1,12} *(ms|s|m|h|d)"));
        }
        if (type == Rate.class) {
            return reference("rate", value("[0-9]{1,9} */ *[smh]|unlimited"));
        }
        if (type == DataSize.class) {
            return reference("size", value("[0-9]{1,15} *(B|KiB|MiB|GiB)?", "integer"));
        }
        if (type == StatusPattern.class) {
            return reference("statuses", value("[1-9]([0-9][0-9]|xx)", "integer"));
        }
        if (type.isEnum()) {
            return reference(SettingKey.kebabCase(type.getSimpleName()), words(ScalarFormat.words(type)));
        }
        return reference("text", types("string", "number", "boolean", "null"));
    }

    private ObjectNode reference(String name, ObjectNode definition) {
        definitions.set(name, definition);
        return NODES.objectNode().put("$ref", "#/$defs/" + name);
    }

    /** Returns the schema of a value that is text of the pattern, or of another type of YAML, or refers to a variable or a file. */
    private static ObjectNode value(String pattern, String... otherTypes) {
        ObjectNode value = types("string", "null").put("pattern", "^ *(" + pattern + ") *$|" + REFERENCE);
        Arrays.stream(otherTypes).forEach(((ArrayNode) value.get("type"))::add);
        return value;
    }

    /** Returns the schema of a word; YAML reads the words true and false as booleans. */
    private static ObjectNode words(List<String> words) {
        ObjectNode either = NODES.objectNode();
        ArrayNode choice = either.putArray("anyOf");
        ArrayNode known = choice.addObject().putArray("enum");
        words.forEach(known::add);
        known.addNull();
        words.stream()
                .filter(word -> word.matches("true|false"))
                .map(Boolean::valueOf)
                .forEach(known::add);
        choice.addObject().put("type", "string").put("pattern", REFERENCE);
        return either;
    }

    private static ObjectNode types(String... names) {
        ObjectNode schema = NODES.objectNode();
        ArrayNode types = schema.putArray("type");
        Arrays.stream(names).forEach(types::add);
        return schema;
    }
}
