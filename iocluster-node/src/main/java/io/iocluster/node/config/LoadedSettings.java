package io.iocluster.node.config;

import java.util.Set;

/**
 * Settings, with what must not be shown of them.
 *
 * @param settings the root of the records
 * @param hidden the paths of values that came from files
 */
public record LoadedSettings<T extends Record>(T settings, Set<String> hidden) {

    public LoadedSettings {
        hidden = Set.copyOf(hidden);
    }
}
