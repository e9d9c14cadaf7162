package io.iocluster.node;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes JSON for files that tests compare with the code. An object or list is on one line if it is flat or fits there. */
public final class CompactJson {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int WIDTH = 160;

    private CompactJson() {}

    /** Returns the text with a line break at the end. */
    public static String of(JsonNode json) {
        return lines(json, "", 0) + "\n";
    }

    private static String lines(JsonNode json, String indent, int used) {
        String line = line(json);
        boolean isFlat = json.valueStream().noneMatch(JsonNode::isContainer);
        if (isFlat || indent.length() + used + line.length() <= WIDTH) {
            return line;
        }
        String inner = indent + "  ";
        List<String> parts = new ArrayList<>();
        if (json.isArray()) {
            json.forEach(each -> parts.add(inner + lines(each, inner, 0)));
        } else {
            json.forEachEntry((name, value) -> {
                String key = JSON.writeValueAsString(name) + ": ";
                parts.add(inner + key + lines(value, inner, key.length()));
            });
        }
        return join(json, "\n" + String.join(",\n", parts) + "\n" + indent);
    }

    private static String line(JsonNode json) {
        List<String> parts = new ArrayList<>();
        if (json.isArray()) {
            json.forEach(each -> parts.add(line(each)));
        } else if (json.isObject()) {
            json.forEachEntry((name, value) -> parts.add(JSON.writeValueAsString(name) + ": " + line(value)));
        } else {
            return json.toString();
        }
        return join(json, String.join(", ", parts));
    }

    private static String join(JsonNode json, String content) {
        return json.isArray() ? "[" + content + "]" : "{" + content + "}";
    }
}
