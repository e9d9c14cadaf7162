package io.iocluster.node.config;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.Mistake;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML to a tree whose scalars are all text as it was written, so that a setting's type alone decides what a scalar
 * means: {@code 0123} stays {@code 0123} where text is wanted.
 */
final class YamlText {

    private static final YAMLFactory YAML = YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern PROBLEM_END = Pattern.compile("\\R|\\s+(in|at) (reader|\\[Source)");

    private YamlText() {}

    /**
     * Reads one document; one without content is an empty map.
     *
     * @throws InvalidSettingsException if it is no YAML, repeats a key or uses what settings need not (aliases, several
     *     documents); the mistake names the line and shows nothing of it
     */
    static JsonNode parse(String yaml) {
        try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), yaml)) {
            JsonToken first = parser.nextToken();
            JsonNode tree = first == null ? NODES.objectNode() : value(parser, first);
            if (parser.nextToken() != null) {
                throw mistake(parser.currentTokenLocation(), "more than one YAML document");
            }
            return tree;
        } catch (JacksonException broken) {
            String problem = PROBLEM_END.split(broken.getOriginalMessage(), 2)[0];
            boolean braces = problem.contains("flow mapping") && yaml.contains("${");
            throw mistake(broken.getLocation(), problem + (braces ? "; inside {…} quote it: \"${NAME}\"" : ""));
        }
    }

    private static JsonNode value(YAMLParser parser, JsonToken token) {
        if (parser.isCurrentAlias()) {
            throw mistake(parser.currentTokenLocation(), "aliases are not supported");
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_NULL -> NODES.nullNode();
            default -> NODES.stringNode(parser.getString());
        };
    }

    private static ObjectNode object(YAMLParser parser) {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            object.set(key, value(parser, parser.nextToken()));
        }
        return object;
    }

    private static ArrayNode array(YAMLParser parser) {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(parser, token));
        }
        return array;
    }

    private static InvalidSettingsException mistake(TokenStreamLocation location, String problem) {
        String where = location == null || location.getLineNr() < 1 ? "YAML" : "line " + location.getLineNr();
        return new InvalidSettingsException(List.of(new Mistake(where + ":", problem)));
    }
}
