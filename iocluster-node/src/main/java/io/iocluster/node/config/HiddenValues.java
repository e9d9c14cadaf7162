package io.iocluster.node.config;

import io.iocluster.settings.InvalidSettingsException.Mistake;
import io.iocluster.settings.SecretNames;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.Set;

/**
 * Which values must not be shown: those of secret settings, those that came from files, and entries of free-form maps
 * whose key tells of a secret, by {@link SecretNames}. Immutable.
 */
final class HiddenValues {

    private final Set<String> secret = new HashSet<>();
    private final Set<String> maps = new HashSet<>();
    private final Set<String> fromFiles;

    HiddenValues(Class<?> root, Set<String> fromFiles) {
        this.fromFiles = Set.copyOf(fromFiles);
        collect(root, "");
    }

    private void collect(Class<?> section, String parent) {
        for (SettingKey key : SettingKey.of(section)) {
            String path = SettingKey.join(parent, key.name());
            if (key.setting().secret()) {
                secret.add(path);
            } else if (key.isSection()) {
                collect(key.section(), path);
            } else if (key.isCollection()) {
                Type element = key.elementType();
                if (SettingKey.isSection(element)) {
                    collect((Class<?>) element, path);
                } else {
                    maps.add(path);
                }
            }
        }
    }

    /** Whether the value at a path must not be shown; a value below a hidden one is hidden too. */
    boolean covers(String path) {
        return within(secret, path.replaceAll("\\[\\d+]", "")) || within(fromFiles, path) || namesASecret(path);
    }

    private boolean namesASecret(String path) {
        return maps.stream()
                .filter(map -> path.startsWith(map + "."))
                .anyMatch(map -> SecretNames.hide(path.substring(map.length() + 1)));
    }

    private static boolean within(Set<String> hidden, String path) {
        return hidden.stream().anyMatch(outer -> SettingKey.isWithin(outer, path));
    }

    /** The same mistake without the value that it may quote. */
    Mistake scrub(Mistake mistake) {
        if (!covers(mistake.key())) {
            return mistake;
        }
        return new Mistake(mistake.key(), mistake.problem().replaceFirst("(?s):.*", ""));
    }
}
