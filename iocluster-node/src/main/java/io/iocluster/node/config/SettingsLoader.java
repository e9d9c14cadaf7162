package io.iocluster.node.config;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.Mistake;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Loads settings: the file, what is interpolated in it, what the environment sets over it. Immutable. */
public final class SettingsLoader<T extends Record> {

    private final Class<T> root;
    private final Map<String, String> environment;
    private final EnvironmentOverrides overrides;

    public SettingsLoader(Class<T> root, Map<String, String> environment) {
        this.root = root;
        this.environment = Map.copyOf(environment);
        this.overrides = new EnvironmentOverrides(root);
    }

    /**
     * Loads a file.
     *
     * @throws InvalidSettingsException with every mistake that was found
     */
    public LoadedSettings<T> load(Path file) {
        try {
            return load(Files.readString(file), file.toAbsolutePath().getParent());
        } catch (IOException unreadable) {
            throw new InvalidSettingsException(List.of(new Mistake(file.toString(), "cannot be read")));
        }
    }

    /**
     * Loads YAML that is already here.
     *
     * @param base where the files that it names are looked for
     * @throws InvalidSettingsException with every mistake that was found
     */
    public LoadedSettings<T> load(String yaml, Path base) {
        JsonNode tree = YamlText.parse(yaml);
        List<Mistake> mistakes = new ArrayList<>();
        Set<String> fromFiles = new HashSet<>();
        Set<Path> files = new HashSet<>();
        JsonNode resolved = new Interpolation(environment, base, mistakes, fromFiles, files).resolve(tree, "");
        if (!(resolved instanceof ObjectNode object)) {
            throw new InvalidSettingsException(List.of(new Mistake("the file", "must be a map of keys")));
        }
        Map<String, String> variables = overrides.apply(environment, object, mistakes);
        // What the environment replaces need not have been right.
        mistakes.removeIf(mistake -> variable(mistake.key(), variables).isPresent());
        fromFiles.removeAll(variables.keySet());
        HiddenValues hidden = new HiddenValues(root, fromFiles);
        List<Mistake> wrong = new ArrayList<>();
        Binder binder = new Binder(wrong);
        T settings = binder.bind(root, object, "");
        binder.addInheriting(fromFiles);
        Set<String> unresolved =
                new HashSet<>(mistakes.stream().map(Mistake::key).toList());
        wrong.stream()
                .filter(mistake -> !unresolved.contains(mistake.key()))
                .map(hidden::scrub)
                .map(mistake -> named(mistake, variables))
                .forEach(mistakes::add);
        if (!mistakes.isEmpty()) {
            throw new InvalidSettingsException(mistakes);
        }
        return new LoadedSettings<>(settings, fromFiles, files);
    }

    private static Mistake named(Mistake mistake, Map<String, String> variables) {
        return variable(mistake.key(), variables)
                .map(variable -> new Mistake(mistake.key(), mistake.problem() + " (set by " + variable + ")"))
                .orElse(mistake);
    }

    /** What set the path, or the list or map that the path is an entry of. */
    private static Optional<String> variable(String path, Map<String, String> variables) {
        return variables.keySet().stream()
                .filter(set -> SettingKey.isWithin(set, path))
                .findFirst()
                .map(variables::get);
    }
}
