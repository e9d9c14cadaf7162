package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
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
    private final Optional<Overlay> overlay;

    public SettingsLoader(Class<T> root, Map<String, String> environment) {
        this(root, Map.copyOf(environment), new EnvironmentOverrides(root), Optional.empty());
    }

    private SettingsLoader(
            Class<T> root, Map<String, String> environment, EnvironmentOverrides overrides, Optional<Overlay> overlay) {
        this.root = root;
        this.environment = environment;
        this.overrides = overrides;
        this.overlay = overlay;
    }

    /** What is laid over each file. */
    public Optional<Overlay> overlay() {
        return overlay;
    }

    /** The same, with this laid over each file, and below what the environment sets. */
    public SettingsLoader<T> withOverlay(Overlay other) {
        return new SettingsLoader<>(root, environment, overrides, Optional.of(other));
    }

    /**
     * Loads a file.
     *
     * @throws InvalidSettingsException with every mistake that was found
     */
    public LoadedSettings<T> load(Path file) {
        return load(text(file), base(file));
    }

    /**
     * Loads the sections of a file that the root has, and leaves the others alone, which may hold mistakes.
     *
     * @throws InvalidSettingsException with every mistake that was found
     */
    public LoadedSettings<T> loadPartial(Path file) {
        JsonNode tree = YamlText.parse(text(file));
        if (tree instanceof ObjectNode object) {
            object.retain(SettingKey.of(root).stream().map(SettingKey::name).toList());
        }
        return load(tree, base(file));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            String problem = "cannot be read: " + FileReadError.reason(file, unreadable);
            throw new InvalidSettingsException(List.of(new InvalidSetting(file.toString(), problem)));
        }
    }

    private static Path base(Path file) {
        return file.toAbsolutePath().getParent();
    }

    /**
     * Loads YAML that is already here.
     *
     * @param base where the files that it names are looked for
     * @throws InvalidSettingsException with every mistake that was found
     */
    public LoadedSettings<T> load(String yaml, Path base) {
        return load(YamlText.parse(yaml), base);
    }

    private LoadedSettings<T> load(JsonNode tree, Path base) {
        Set<String> laid = new HashSet<>();
        if (overlay.isPresent() && tree instanceof ObjectNode file) {
            laid.addAll(overlay.get().mergeInto(file));
        }
        List<InvalidSetting> mistakes = new ArrayList<>();
        Set<String> fromFiles = new HashSet<>();
        Set<Path> files = new HashSet<>();
        JsonNode resolved = new Interpolation(environment, base, mistakes, fromFiles, files).resolve(tree, "");
        if (!(resolved instanceof ObjectNode object)) {
            throw new InvalidSettingsException(List.of(new InvalidSetting("the file", "must be a map of keys")));
        }
        Map<String, String> variables = overrides.apply(environment, object, mistakes);
        // What the environment replaces need not have been right.
        mistakes.removeIf(mistake -> variable(mistake.key(), variables).isPresent());
        laid.removeIf(path -> variable(path, variables).isPresent());
        fromFiles.removeAll(variables.keySet());
        HiddenValues hidden = new HiddenValues(root, fromFiles);
        List<InvalidSetting> wrong = new ArrayList<>();
        SettingsBinder binder = new SettingsBinder(wrong);
        T settings = binder.bind(root, object, "");
        binder.addInheriting(fromFiles);
        Set<String> unresolved =
                new HashSet<>(mistakes.stream().map(InvalidSetting::key).toList());
        wrong.stream()
                .filter(mistake -> !unresolved.contains(mistake.key()))
                .map(hidden::redact)
                .map(mistake -> named(mistake, variables))
                .forEach(mistakes::add);
        if (!mistakes.isEmpty()) {
            throw new InvalidSettingsException(
                    mistakes.stream().map(mistake -> laid(mistake, laid)).toList());
        }
        return new LoadedSettings<>(settings, fromFiles, files);
    }

    private InvalidSetting laid(InvalidSetting mistake, Set<String> paths) {
        return overlay.map(from -> from.withOrigin(mistake, paths)).orElse(mistake);
    }

    private static InvalidSetting named(InvalidSetting mistake, Map<String, String> variables) {
        return variable(mistake.key(), variables)
                .map(variable -> new InvalidSetting(mistake.key(), mistake.problem() + " (set by " + variable + ")"))
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
