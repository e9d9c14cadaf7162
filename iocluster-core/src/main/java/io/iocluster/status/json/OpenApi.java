package io.iocluster.status.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Completes an OpenAPI document with schemas that are stated elsewhere. The field {@code record} of an object names the class of a status
 * whose schema replaces the field. The field {@code file} of a schema names a JSON Schema beside the document that replaces it; its
 * {@code $defs} become schemas of the document. The other fields of the object stay. The field {@code problems} of the document has the
 * statuses of problems that every operation without a default response may return, and that of an operation has further ones. Both become
 * responses. Immutable.
 */
public final class OpenApi {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String RECORD = "record";
    private static final String PROPERTIES = "properties";
    private static final String PROBLEMS = "problems";
    private static final String PROBLEM = "#/components/responses/Problem";

    private final StatusSchema schemas;

    private OpenApi(StatusSchema schemas) {
        this.schemas = schemas;
    }

    /** Reads the document from a resource beside a class, and returns it in full, as JSON with a line break at the end. */
    public static byte[] complete(Class<?> owner, String resource) {
        try (InputStream text = owner.getResourceAsStream(resource)) {
            ObjectNode outline = (ObjectNode) JSON.readTree(text);
            if (outline.at("/components/schemas") instanceof ObjectNode named) {
                new SchemaFiles(owner, named).include();
            }
            addProblems(outline);
            Map<Class<?>, String> components = new HashMap<>();
            outline.at("/components/schemas").forEachEntry((name, schema) -> {
                if (schema.has(RECORD)) {
                    components.put(recordClass(schema), name);
                }
            });
            JsonNode whole = new OpenApi(new StatusSchema(components)).complete(outline);
            return (JSON.writerWithDefaultPrettyPrinter().writeValueAsString(whole) + "\n").getBytes(UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void addProblems(ObjectNode outline) {
        if (!(outline.remove(PROBLEMS) instanceof ArrayNode ofEach)) {
            return;
        }
        outline.get("paths")
                .forEach(path -> path.forEach(operation -> {
                    ObjectNode responses = (ObjectNode) operation.get("responses");
                    ArrayNode statuses = responses.has("default") ? NODES.arrayNode() : ofEach.deepCopy();
                    if (((ObjectNode) operation).remove(PROBLEMS) instanceof ArrayNode more) {
                        statuses.addAll(more);
                    }
                    statuses.valueStream()
                            .map(JsonNode::asString)
                            .sorted()
                            .forEach(status -> responses.putObject(status).put("$ref", PROBLEM));
                }));
    }

    private static Class<?> recordClass(JsonNode schema) {
        try {
            return Class.forName(schema.get(RECORD).asString());
        } catch (ClassNotFoundException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    private JsonNode complete(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode all = NODES.arrayNode();
            array.forEach(each -> all.add(complete(each)));
            return all;
        }
        if (!(node instanceof ObjectNode)) {
            return node;
        }
        ObjectNode object = NODES.objectNode();
        node.forEachEntry((name, value) -> object.set(name, complete(value)));
        return object.has(RECORD) ? schema(object) : object;
    }

    private ObjectNode schema(ObjectNode given) {
        ObjectNode schema = schemas.of(recordClass(given));
        given.remove(RECORD);
        if (given.remove(PROPERTIES) instanceof ObjectNode more) {
            ((ObjectNode) schema.get(PROPERTIES)).setAll(more);
            more.propertyNames().forEach(((ArrayNode) schema.get("required"))::add);
        }
        return schema.setAll(given);
    }
}
