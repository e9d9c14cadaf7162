package io.iocluster.node.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published schemas. */
final class Schemas {

    static final Path FOLDER = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .getParent()
            .resolve("docs/schema");

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final SchemaRegistry REGISTRY = SchemaRegistry.withDialect(Dialects.getDraft202012());

    private final Schema schema;

    private Schemas(String file) {
        try {
            schema = REGISTRY.getSchema(JSON.readTree(Files.readAllBytes(FOLDER.resolve(file))));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static Schemas request() {
        return new Schemas("request.schema.json");
    }

    static Schemas answer() {
        return new Schemas("answer.schema.json");
    }

    static Schemas node() {
        return new Schemas("node.schema.json");
    }

    /** Returns the violations of the schema; empty if the document is valid. */
    List<String> problems(byte[] json) {
        return problems(JSON.readTree(json));
    }

    List<String> problems(JsonNode tree) {
        return schema.validate(tree).stream().map(Error::toString).toList();
    }

    List<String> problems(String json) {
        return problems(json.getBytes(StandardCharsets.UTF_8));
    }
}
