package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.SecretNames;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides which values must not be shown: secret settings, values that came from files, and entries of free-form maps
 * whose key names a secret according to {@link SecretNames}. Immutable.
 */
final class HiddenValues {

    /** Stands for the name of any map entry. */
    private static final String ANY_NAME = "*";

    private final Set<Pattern> secret = new HashSet<>();
    private final Set<Pattern> maps = new HashSet<>();
    private final Set<String> fromFiles;

    HiddenValues(Class<?> root, Set<String> fromFiles) {
        this.fromFiles = Set.copyOf(fromFiles);
        collect(root, "");
    }

    private void collect(Class<?> section, String parent) {
        for (SettingKey key : SettingKey.of(section)) {
            String path = SettingKey.join(parent, key.name());
            if (key.setting().secret()) {
                secret.add(pattern(path, "([.\\[].*)?"));
            } else if (key.isSection()) {
                collect(key.section(), path);
            } else if (key.isCollection()) {
                Type element = key.elementType();
                if (SettingKey.isSection(element)) {
                    collect((Class<?>) element, key.isMapOfSections() ? SettingKey.join(path, ANY_NAME) : path);
                } else {
                    maps.add(pattern(path, "\\.(?<key>.*)"));
                }
            }
        }
    }

    /** Returns whether the value at a path must not be shown. Every value below a hidden one is hidden too. */
    boolean isHidden(String path) {
        String unnumbered = path.replaceAll("\\[\\d+]", "");
        return secret.stream().anyMatch(each -> each.matcher(unnumbered).matches())
                || fromFiles.stream().anyMatch(outer -> SettingKey.isWithin(outer, path))
                || namesASecret(unnumbered);
    }

    private boolean namesASecret(String path) {
        return maps.stream()
                .map(map -> map.matcher(path))
                .anyMatch(map -> map.matches() && SecretNames.isSecret(map.group("key")));
    }

    /** Matches the paths of a key. A name may contain dots, so the pattern hides too much rather than too little. */
    private static Pattern pattern(String path, String rest) {
        String named = Arrays.stream(path.split(Pattern.quote("." + ANY_NAME + "."), -1))
                .map(Pattern::quote)
                .collect(Collectors.joining("\\..+\\."));
        return Pattern.compile(named + rest, Pattern.DOTALL);
    }

    /** Returns the error without the value that it may quote. */
    InvalidSetting redact(InvalidSetting error) {
        if (!isHidden(error.key())) {
            return error;
        }
        return new InvalidSetting(error.key(), error.problem().replaceFirst("(?s):.*", ""));
    }
}
