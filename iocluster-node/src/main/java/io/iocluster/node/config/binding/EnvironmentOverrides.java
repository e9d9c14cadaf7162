package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies environment variables that set keys: {@code IOCLUSTER_WORKERS_MAX_IN_FLIGHT} sets
 * {@code workers.max-in-flight}. The values are not interpolated. Immutable.
 */
final class EnvironmentOverrides {

    private static final String PREFIX = "IOCLUSTER_";

    private final Map<String, List<String>> pathsByVariable = new LinkedHashMap<>();
    private final List<String> sectionPrefixes;

    EnvironmentOverrides(Class<?> root) {
        collect(root, List.of());
        sectionPrefixes = SettingKey.of(root).stream()
                .filter(SettingKey::isSection)
                .map(key -> variable(List.of(key.name())) + "_")
                .toList();
    }

    private void collect(Class<?> section, List<String> path) {
        for (SettingKey key : SettingKey.of(section)) {
            List<String> full = append(path, key.name());
            if (key.isSection()) {
                collect(key.section(), full);
            } else if (pathsByVariable.put(variable(full), full) != null) {
                throw new IllegalArgumentException("two keys map to the variable " + variable(full));
            }
        }
    }

    /** Returns the name of the variable for a key's path. */
    static String variable(List<String> path) {
        return PREFIX + String.join("_", path).toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /**
     * Sets the environment's values in the tree.
     *
     * @param errors receives an error for each variable that has the prefix of a section and matches none of its keys
     * @return the name of the variable by path, for each path that was set
     */
    Map<String, String> apply(Map<String, String> environment, ObjectNode tree, List<InvalidSetting> errors) {
        Map<String, String> variables = new LinkedHashMap<>();
        environment.keySet().stream().sorted().forEach(name -> {
            List<String> path = pathsByVariable.get(name);
            if (path != null) {
                set(tree, path, environment.get(name));
                variables.put(String.join(".", path), name);
            } else if (sectionPrefixes.stream().anyMatch(name::startsWith)) {
                errors.add(new InvalidSetting(
                        name, "matches no known key" + NearestName.hint(name, pathsByVariable.keySet())));
            }
        });
        return variables;
    }

    private static void set(ObjectNode tree, List<String> path, String value) {
        ObjectNode section = tree;
        for (String key : path.subList(0, path.size() - 1)) {
            JsonNode inner = section.get(key);
            if (!(inner instanceof ObjectNode)) {
                // A missing section is normal; the binder reports a value that is not a map.
                if (inner != null && !inner.isNull()) {
                    return;
                }
                inner = JsonNodeFactory.instance.objectNode();
                section.set(key, inner);
            }
            section = (ObjectNode) inner;
        }
        section.put(path.get(path.size() - 1), value);
    }

    private static List<String> append(List<String> path, String key) {
        return Stream.concat(path.stream(), Stream.of(key)).toList();
    }
}
