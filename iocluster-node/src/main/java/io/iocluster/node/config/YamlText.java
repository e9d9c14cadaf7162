package io.iocluster.node.config;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.Mistake;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads YAML to a tree whose scalars are all text as it was written, so that a setting's type alone decides what a scalar
 * means: {@code 0123} stays {@code 0123} where text is wanted. Confined to one document.
 */
final class YamlText {

    private static final YAMLFactory YAML = new YAMLFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern PROBLEM_END = Pattern.compile("\\R|\\s+(in|at) (reader|\\[Source)");

    private final YAMLParser parser;
    private final List<Mistake> repeated = new ArrayList<>();

    private YamlText(YAMLParser parser) {
        this.parser = parser;
    }

    /**
     * Reads one document; one without content is an empty map.
     *
     * @throws InvalidSettingsException if it is no YAML, repeats a key or uses what settings need not (aliases, several
     *     documents); the mistake names the key or the line and shows no value
     */
    static JsonNode parse(String yaml) {
        try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), yaml)) {
            return new YamlText(parser).document();
        } catch (JacksonException broken) {
            String problem = PROBLEM_END.split(broken.getOriginalMessage(), 2)[0];
            boolean braces = problem.contains("flow mapping") && yaml.contains("${");
            throw mistake(broken.getLocation(), problem + (braces ? "; inside {…} quote it: \"${NAME}\"" : ""));
        }
    }

    private JsonNode document() {
        JsonToken first = parser.nextToken();
        JsonNode tree = first == null ? NODES.objectNode() : value(first, "");
        if (parser.nextToken() != null) {
            throw mistake(parser.currentTokenLocation(), "more than one YAML document");
        }
        if (!repeated.isEmpty()) {
            throw new InvalidSettingsException(repeated);
        }
        return tree;
    }

    private JsonNode value(JsonToken token, String path) {
        if (parser.isCurrentAlias()) {
            throw mistake(parser.currentTokenLocation(), "aliases are not supported");
        }
        return switch (token) {
            case START_OBJECT -> object(path);
            case START_ARRAY -> array(path);
            case VALUE_NULL -> NODES.nullNode();
            default -> NODES.stringNode(parser.getString());
        };
    }

    private ObjectNode object(String path) {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            String keyPath = SettingKey.join(path, key);
            if (object.has(key)) {
                int line = parser.currentTokenLocation().getLineNr();
                repeated.add(new Mistake(keyPath, "is set twice, the second time on line " + line));
            }
            object.set(key, value(parser.nextToken(), keyPath));
        }
        return object;
    }

    private ArrayNode array(String path) {
        ArrayNode array = NODES.arrayNode();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            array.add(value(token, path + "[" + array.size() + "]"));
        }
        return array;
    }

    private static InvalidSettingsException mistake(TokenStreamLocation location, String problem) {
        String where = location == null || location.getLineNr() < 1 ? "YAML" : "line " + location.getLineNr();
        return new InvalidSettingsException(List.of(new Mistake(where + ":", problem)));
    }
}
