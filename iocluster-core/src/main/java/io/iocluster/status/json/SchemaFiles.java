package io.iocluster.status.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Puts JSON Schema files into the schemas of an OpenAPI document. A definition {@code retry} of the schema {@code Envelope} becomes the
 * schema {@code EnvelopeRetry}, because generators of clients ignore {@code $defs}. Confined to one thread.
 */
final class SchemaFiles {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String FILE = "file";
    private static final String DEFINITIONS = "$defs";
    private static final String PROPERTIES = "properties";

    private final Class<?> owner;
    private final ObjectNode schemas;

    /** @param owner the class beside which the files are */
    SchemaFiles(Class<?> owner, ObjectNode schemas) {
        this.owner = owner;
        this.schemas = schemas;
    }

    /** Replaces each schema that names a file. Its properties replace those of the file. */
    void include() throws IOException {
        for (String name : List.copyOf(schemas.propertyNames())) {
            if (schemas.get(name) instanceof ObjectNode outline && outline.has(FILE)) {
                include(name, outline);
            }
        }
    }

    private void include(String name, ObjectNode outline) throws IOException {
        ObjectNode schema = read(outline.remove(FILE).asString());
        schema.remove(List.of("$schema", "$id"));
        JsonNode definitions = schema.remove(DEFINITIONS);
        if (outline.remove(PROPERTIES) instanceof ObjectNode other) {
            ((ObjectNode) schema.get(PROPERTIES)).setAll(other);
        }
        schema.setAll(outline);
        schemas.set(name, rename(schema, name));
        definitions.forEachEntry((key, definition) -> schemas.set(component(name, key), rename(definition, name)));
    }

    private ObjectNode read(String file) throws IOException {
        try (InputStream text = owner.getResourceAsStream(file)) {
            return (ObjectNode) JSON.readTree(text);
        }
    }

    /** Changes references to definitions into references to schemas of the document. Returns the same node. */
    private static JsonNode rename(JsonNode node, String name) {
        if (node instanceof ArrayNode array) {
            array.forEach(each -> rename(each, name));
        } else if (node instanceof ObjectNode object) {
            for (String key : List.copyOf(object.propertyNames())) {
                JsonNode value = object.get(key);
                if (key.equals("$ref") && value instanceof StringNode reference) {
                    String definition = reference.asString().substring(("#/" + DEFINITIONS + "/").length());
                    object.put(key, "#/components/schemas/" + component(name, definition));
                } else {
                    rename(value, name);
                }
            }
        }
        return node;
    }

    private static String component(String name, String definition) {
        return name + definition.substring(0, 1).toUpperCase(Locale.ROOT) + definition.substring(1);
    }
}
