package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * YAML that is laid over the file's: maps are merged key by key, whatever else it sets replaces what the file says, and an empty
 * value makes the default hold. Immutable.
 *
 * @param origin where it comes from, as mistakes name it: "Consul's key a/b"
 * @param yaml its text
 * @param untouchable the path of the section that it must not set
 */
public record Overlay(String origin, String yaml, String protectedPath) {

    /**
     * Lays it over the file's tree, which is changed.
     *
     * @return the paths that it sets
     * @throws InvalidSettingsException if it cannot be laid over anything
     */
    Set<String> mergeInto(ObjectNode file) {
        JsonNode tree;
        try {
            tree = YamlText.parse(yaml);
        } catch (InvalidSettingsException broken) {
            throw new InvalidSettingsException(
                    broken.invalidSettings().stream().map(this::withOrigin).toList());
        }
        if (!(tree instanceof ObjectNode object)) {
            throw new InvalidSettingsException(List.of(new InvalidSetting(origin, "must hold a map of keys")));
        }
        Set<String> paths = new HashSet<>();
        List<InvalidSetting> mistakes = new ArrayList<>();
        lay(object, file, "", paths);
        paths.stream()
                .filter(path -> SettingKey.isWithin(protectedPath, path) || SettingKey.isWithin(path, protectedPath))
                .forEach(path -> mistakes.add(new InvalidSetting(path, "cannot come from " + origin)));
        if (!mistakes.isEmpty()) {
            throw new InvalidSettingsException(mistakes);
        }
        return paths;
    }

    private static void lay(ObjectNode over, ObjectNode under, String parent, Set<String> paths) {
        over.forEachEntry((key, value) -> {
            String path = SettingKey.join(parent, key);
            if (value instanceof ObjectNode inner && under.get(key) instanceof ObjectNode below) {
                lay(inner, below, path, paths);
            } else {
                under.set(key, value);
                leaves(value, path, paths);
            }
        });
    }

    private static void leaves(JsonNode value, String path, Set<String> paths) {
        if (value instanceof ObjectNode object) {
            object.forEachEntry((key, inner) -> leaves(inner, SettingKey.join(path, key), paths));
        } else {
            paths.add(path);
        }
    }

    /** The same mistake, with where it comes from if that is from here. */
    InvalidSetting withOrigin(InvalidSetting mistake, Set<String> paths) {
        return paths.stream().anyMatch(path -> SettingKey.isWithin(path, mistake.key()))
                ? withOrigin(mistake)
                : mistake;
    }

    private InvalidSetting withOrigin(InvalidSetting mistake) {
        return new InvalidSetting(mistake.key(), mistake.problem() + " (in " + origin + ")");
    }

    /** Everything but the text. */
    @Override
    public String toString() {
        return "Overlay[" + origin + "]";
    }
}
