package io.iocluster.node.config.binding;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the values that unset keys inherit, and records which keys inherited one. Confined to one load. */
final class SettingInheritance {

    private final Map<String, Object> sections = new HashMap<>();
    private final Map<String, String> originByPath = new LinkedHashMap<>();

    /** Adds a top-level value that later keys may inherit from. */
    void addSection(String name, Object value) {
        sections.put(name, value);
    }

    /**
     * Returns the value that a key inherits: from the section that the key's section inherits from, otherwise from the
     * path in the key's annotation.
     *
     * @param from what the key's section inherits; may be null
     * @return null if the key inherits nothing
     */
    InheritedValue find(SettingKey key, InheritedValue from) {
        InheritedValue byName = from == null ? null : in(from, key.name());
        String path = key.setting().inherits();
        if (byName != null || path.isEmpty()) {
            return byName;
        }
        List<String> names = List.of(path.split("\\."));
        Object section = sections.get(names.get(0));
        InheritedValue found = section == null ? null : new InheritedValue(section, names.get(0));
        for (int i = 1; i < names.size() && found != null; i++) {
            found = in(found, names.get(i));
        }
        return found;
    }

    private static InheritedValue in(InheritedValue section, String name) {
        return SettingKey.of(section.value().getClass()).stream()
                .filter(key -> key.name().equals(name))
                .map(key -> new InheritedValue(key.valueIn(section.value()), SettingKey.join(section.path(), name)))
                .findFirst()
                .orElse(null);
    }

    /** Records that a path inherited its value. */
    void recordInherited(String path, InheritedValue inherited) {
        originByPath.put(path, inherited.path());
    }

    /**
     * Adds the paths that inherited their value from one of the given paths or below, so that they are hidden as well.
     */
    void addInheriting(Set<String> paths) {
        originByPath.forEach((path, origin) -> List.copyOf(paths).stream()
                .filter(each -> each.equals(origin) || each.startsWith(origin + ".") || each.startsWith(origin + "["))
                .forEach(each -> paths.add(path + each.substring(origin.length()))));
    }
}
