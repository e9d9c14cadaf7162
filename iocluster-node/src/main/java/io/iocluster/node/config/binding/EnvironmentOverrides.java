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
 * Lets every key be set as an environment variable: {@code workers.max-in-flight} as {@code
 * IOCLUSTER_WORKERS_MAX_IN_FLIGHT}. The value is taken as it is, without interpolation. Immutable.
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
                throw new IllegalArgumentException("two keys share the variable " + variable(full));
            }
        }
    }

    /** The variable for a key's path. */
    static String variable(List<String> path) {
        return PREFIX + String.join("_", path).toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /**
     * Puts the environment's values over the tree's.
     *
     * @param mistakes takes each variable under a known section that is no key of it
     * @return the variable that set a path, for each path set
     */
    Map<String, String> apply(Map<String, String> environment, ObjectNode tree, List<InvalidSetting> mistakes) {
        Map<String, String> variables = new LinkedHashMap<>();
        environment.keySet().stream().sorted().forEach(name -> {
            List<String> path = pathsByVariable.get(name);
            if (path != null) {
                set(tree, path, environment.get(name));
                variables.put(String.join(".", path), name);
            } else if (sectionPrefixes.stream().anyMatch(name::startsWith)) {
                mistakes.add(new InvalidSetting(
                        name, "sets no known key" + NearestName.hint(name, pathsByVariable.keySet())));
            }
        });
        return variables;
    }

    private static void set(ObjectNode tree, List<String> path, String value) {
        ObjectNode section = tree;
        for (String key : path.subList(0, path.size() - 1)) {
            JsonNode inner = section.get(key);
            if (!(inner instanceof ObjectNode)) {
                // Anything but a map here is a mistake that the binder would report; nothing at all is usual.
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
