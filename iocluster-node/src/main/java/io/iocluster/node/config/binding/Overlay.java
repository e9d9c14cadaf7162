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
 * YAML that overrides the file: maps are merged key by key, other values replace the file's, and an empty value
 * restores the default. Immutable.
 *
 * @param origin the source as error messages name it: "Consul's key a/b"
 * @param yaml the text
 * @param protectedPath the path of the section that it must not set
 */
public record Overlay(String origin, String yaml, String protectedPath) {

    /**
     * Merges the overlay into the file's tree, which is changed.
     *
     * @return the paths that the overlay sets
     * @throws InvalidSettingsException if the overlay is not a YAML map or sets the protected section
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
            throw new InvalidSettingsException(List.of(new InvalidSetting(origin, "must contain a map of keys")));
        }
        Set<String> paths = new HashSet<>();
        List<InvalidSetting> errors = new ArrayList<>();
        merge(object, file, "", paths);
        paths.stream()
                .filter(path -> SettingKey.isWithin(protectedPath, path) || SettingKey.isWithin(path, protectedPath))
                .forEach(path -> errors.add(new InvalidSetting(path, "must not be set in " + origin)));
        if (!errors.isEmpty()) {
            throw new InvalidSettingsException(errors);
        }
        return paths;
    }

    private static void merge(ObjectNode overlay, ObjectNode target, String parent, Set<String> paths) {
        overlay.forEachEntry((key, value) -> {
            String path = SettingKey.join(parent, key);
            if (value instanceof ObjectNode inner && target.get(key) instanceof ObjectNode nested) {
                merge(inner, nested, path, paths);
            } else {
                target.set(key, value);
                addLeafPaths(value, path, paths);
            }
        });
    }

    private static void addLeafPaths(JsonNode value, String path, Set<String> paths) {
        if (value instanceof ObjectNode object) {
            object.forEachEntry((key, inner) -> addLeafPaths(inner, SettingKey.join(path, key), paths));
        } else {
            paths.add(path);
        }
    }

    /** Returns the error, with this origin added if one of the paths that the overlay sets caused it. */
    InvalidSetting withOrigin(InvalidSetting error, Set<String> paths) {
        return paths.stream().anyMatch(path -> SettingKey.isWithin(path, error.key())) ? withOrigin(error) : error;
    }

    private InvalidSetting withOrigin(InvalidSetting error) {
        return new InvalidSetting(error.key(), error.problem() + " (in " + origin + ")");
    }

    /** Returns the origin without the text, which may contain secrets. */
    @Override
    public String toString() {
        return "Overlay[" + origin + "]";
    }
}
