package io.iocluster.node.config.binding;

import java.nio.file.Path;
import java.util.Set;

/**
 * Settings, with what must not be shown of them.
 *
 * @param settings the root of the records
 * @param hidden the keys of values that came from files
 * @param files the files whose content was put in
 */
public record LoadedSettings<T extends Record>(T settings, Set<String> hiddenPaths, Set<Path> files) {

    public LoadedSettings {
        hiddenPaths = Set.copyOf(hiddenPaths);
        files = Set.copyOf(files);
    }
}
