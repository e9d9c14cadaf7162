package io.iocluster.node.config.binding;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;

/** The line of each key and list entry of a YAML document, by its path as errors name it: {@code phases[1].rate}. Immutable. */
public final class YamlLines {

    private static final YAMLFactory YAML = new YAMLFactory();

    private final Map<String, Integer> lines;

    private YamlLines(Map<String, Integer> lines) {
        this.lines = Map.copyOf(lines);
    }

    /** Finds the lines of a document; of one that is not YAML, those before the error. */
    public static YamlLines of(String yaml) {
        Map<String, Integer> lines = new HashMap<>();
        try (JsonParser parser = YAML.createParser(ObjectReadContext.empty(), yaml)) {
            JsonToken first = parser.nextToken();
            if (first != null) {
                read(parser, first, "", lines);
            }
        } catch (JacksonException broken) {
            return new YamlLines(lines);
        }
        return new YamlLines(lines);
    }

    private static void read(JsonParser parser, JsonToken token, String path, Map<String, Integer> lines) {
        if (!path.isEmpty()) {
            lines.putIfAbsent(path, parser.currentTokenLocation().getLineNr());
        }
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = SettingKey.join(path, parser.currentName());
                lines.putIfAbsent(key, parser.currentTokenLocation().getLineNr());
                read(parser, parser.nextToken(), key, lines);
            }
        } else if (token == JsonToken.START_ARRAY) {
            int index = 0;
            for (JsonToken entry = parser.nextToken();
                    entry != null && entry != JsonToken.END_ARRAY;
                    entry = parser.nextToken()) {
                read(parser, entry, path + "[" + index++ + "]", lines);
            }
        }
    }

    /** Returns the line of a path, or of the closest key above it if the document does not have it; the first line is 1. */
    public OptionalInt lineOf(String path) {
        String known = path;
        while (!known.isEmpty() && !lines.containsKey(known)) {
            known = known.substring(0, Math.max(0, Math.max(known.lastIndexOf('.'), known.lastIndexOf('['))));
        }
        return known.isEmpty() ? OptionalInt.empty() : OptionalInt.of(lines.get(known));
    }
}
