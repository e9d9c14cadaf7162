package io.iocluster.node.config.binding;

import java.nio.file.Path;
import java.util.Set;

/**
 * Settings and what is known about their origin.
 *
 * @param settings the root record
 * @param hiddenPaths the paths of values that came from files and must not be shown
 * @param files the files whose content was inserted
 */
public record LoadedSettings<T extends Record>(T settings, Set<String> hiddenPaths, Set<Path> files) {

    public LoadedSettings {
        hiddenPaths = Set.copyOf(hiddenPaths);
        files = Set.copyOf(files);
    }
}
