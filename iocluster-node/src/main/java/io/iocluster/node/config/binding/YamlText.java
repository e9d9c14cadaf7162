package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
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
 * Parses YAML to a tree in which every scalar is its original text, so that only a setting's type decides what a
 * scalar means: {@code 0123} stays {@code 0123} if the setting is text. Confined to one document.
 */
final class YamlText {

    private static final YAMLFactory YAML = new YAMLFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final Pattern PROBLEM_END = Pattern.compile("\\R|\\s+(in|at) (reader|\\[Source)");

    private final YAMLParser parser;
    private final List<InvalidSetting> repeated = new ArrayList<>();

    private YamlText(YAMLParser parser) {
        this.parser = parser;
    }

    /**
     * Parses one document. An empty document is an empty map.
     *
     * @throws InvalidSettingsException if the text is not YAML, repeats a key, or uses aliases or several documents;
     *     the error names
     *     the key or the line and shows no value
     */
    static JsonNode parse(String yaml) {
        try (YAMLParser parser = (YAMLParser) YAML.createParser(ObjectReadContext.empty(), yaml)) {
            return new YamlText(parser).document();
        } catch (JacksonException broken) {
            throw error(broken, yaml);
        }
    }

    /** Takes the line from the YAML engine if possible: Jackson knows only where the last valid token ended. */
    private static InvalidSettingsException error(JacksonException broken, String yaml) {
        if (broken.getCause() instanceof MarkedYamlEngineException marked) {
            return error(marked.getProblemMark().map(YamlText::line).orElse(0), problem(marked, yaml));
        }
        String problem = PROBLEM_END.split(broken.getOriginalMessage(), 2)[0];
        if (broken.getCause() instanceof ReaderException unreadable) {
            return error(
                    1
                            + (int) yaml.codePoints()
                                    .limit(unreadable.getPosition())
                                    .filter(c -> c == '\n')
                                    .count(),
                    problem);
        }
        return error(broken.getLocation(), problem);
    }

    private static String problem(MarkedYamlEngineException marked, String yaml) {
        String context = String.valueOf(marked.getContext());
        boolean braces = context.contains("flow mapping") && yaml.contains("${");
        int from = marked.getContextMark().map(YamlText::line).orElse(0);
        boolean elsewhere =
                from > 0 && from != marked.getProblemMark().map(YamlText::line).orElse(from);
        return marked.getProblem()
                + (elsewhere ? ", " + context + " from line " + from + " on" : "")
                + (braces ? "; inside {…} quote it: \"${NAME}\"" : "");
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }

    private JsonNode document() {
        JsonToken first = parser.nextToken();
        JsonNode tree = first == null ? NODES.objectNode() : value(first, "");
        if (parser.nextToken() != null) {
            throw error(parser.currentTokenLocation(), "more than one YAML document");
        }
        if (!repeated.isEmpty()) {
            throw new InvalidSettingsException(repeated);
        }
        return tree;
    }

    private JsonNode value(JsonToken token, String path) {
        if (parser.isCurrentAlias()) {
            throw error(parser.currentTokenLocation(), "aliases are not supported");
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
                repeated.add(new InvalidSetting(keyPath, "is set twice, the second time on line " + line));
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

    private static InvalidSettingsException error(TokenStreamLocation location, String problem) {
        return error(location == null ? 0 : location.getLineNr(), problem);
    }

    /** The first line is 1; 0 means unknown. */
    private static InvalidSettingsException error(int line, String problem) {
        String where = line < 1 ? "YAML" : "line " + line;
        return new InvalidSettingsException(List.of(new InvalidSetting(where + ":", problem)));
    }
}
