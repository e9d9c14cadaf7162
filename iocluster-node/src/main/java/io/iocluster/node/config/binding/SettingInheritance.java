package io.iocluster.node.config.binding;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds what keys inherit where the file says nothing, and remembers who did. Confined to one load. */
final class SettingInheritance {

    private final Map<String, Object> sections = new HashMap<>();
    private final Map<String, String> originByPath = new LinkedHashMap<>();

    /** Takes a top-level value that later keys may inherit from. */
    void addSection(String name, Object value) {
        sections.put(name, value);
    }

    /**
     * What a key inherits: from the section that its own inherits from, else by its own annotation.
     *
     * @param from null if its section inherits from none
     * @return null for nothing
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

    /** Remembers that a path has its value from elsewhere. */
    void recordInherited(String path, InheritedValue inherited) {
        originByPath.put(path, inherited.path());
    }

    /** Adds the paths whose values come from one of these, or from one below it: what is hidden there is hidden here. */
    void addInheriting(Set<String> paths) {
        originByPath.forEach((path, origin) -> List.copyOf(paths).stream()
                .filter(each -> each.equals(origin) || each.startsWith(origin + ".") || each.startsWith(origin + "["))
                .forEach(each -> paths.add(path + each.substring(origin.length()))));
    }
}
