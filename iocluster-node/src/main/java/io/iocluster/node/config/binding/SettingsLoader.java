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

/** Loads settings from a file, an optional overlay, references in both, and environment variables. Immutable. */
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

    /** Returns the overlay that is merged into each file. */
    public Optional<Overlay> overlay() {
        return overlay;
    }

    /** Returns a loader that merges this overlay into each file. Environment variables override the overlay. */
    public SettingsLoader<T> withOverlay(Overlay other) {
        return new SettingsLoader<>(root, environment, overrides, Optional.of(other));
    }

    /**
     * Loads a file.
     *
     * @throws InvalidSettingsException if there are errors; contains all of them
     */
    public LoadedSettings<T> load(Path file) {
        return load(text(file), base(file));
    }

    /**
     * Loads only the sections of a file that the root record has. The other sections may contain errors.
     *
     * @throws InvalidSettingsException if there are errors; contains all of them
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
     * Loads YAML from a string.
     *
     * @param base folder of the files that the YAML references
     * @throws InvalidSettingsException if there are errors; contains all of them
     */
    public LoadedSettings<T> load(String yaml, Path base) {
        return load(YamlText.parse(yaml), base);
    }

    private LoadedSettings<T> load(JsonNode tree, Path base) {
        Set<String> overlaid = new HashSet<>();
        if (overlay.isPresent() && tree instanceof ObjectNode file) {
            overlaid.addAll(overlay.get().mergeInto(file));
        }
        List<InvalidSetting> errors = new ArrayList<>();
        Set<String> fromFiles = new HashSet<>();
        Set<Path> files = new HashSet<>();
        JsonNode resolved = new Interpolation(environment, base, errors, fromFiles, files).resolve(tree, "");
        if (!(resolved instanceof ObjectNode object)) {
            throw new InvalidSettingsException(List.of(new InvalidSetting("the file", "must be a map of keys")));
        }
        Map<String, String> variables = overrides.apply(environment, object, errors);
        // A value that the environment overrides may be invalid in the file.
        errors.removeIf(error -> variable(error.key(), variables).isPresent());
        overlaid.removeIf(path -> variable(path, variables).isPresent());
        fromFiles.removeAll(variables.keySet());
        HiddenValues hidden = new HiddenValues(root, fromFiles);
        List<InvalidSetting> wrong = new ArrayList<>();
        SettingsBinder binder = new SettingsBinder(wrong);
        T settings = binder.bind(root, object, "");
        binder.addInheriting(fromFiles);
        Set<String> unresolved =
                new HashSet<>(errors.stream().map(InvalidSetting::key).toList());
        wrong.stream()
                .filter(error -> !unresolved.contains(error.key()))
                .map(hidden::redact)
                .map(error -> withVariable(error, variables))
                .forEach(errors::add);
        if (!errors.isEmpty()) {
            throw new InvalidSettingsException(
                    errors.stream().map(error -> withOrigin(error, overlaid)).toList());
        }
        return new LoadedSettings<>(settings, fromFiles, files);
    }

    private InvalidSetting withOrigin(InvalidSetting error, Set<String> paths) {
        return overlay.map(source -> source.withOrigin(error, paths)).orElse(error);
    }

    private static InvalidSetting withVariable(InvalidSetting error, Map<String, String> variables) {
        return variable(error.key(), variables)
                .map(variable -> new InvalidSetting(error.key(), error.problem() + " (set by " + variable + ")"))
                .orElse(error);
    }

    /** Returns the variable that set the path, or the list or map that contains it. */
    private static Optional<String> variable(String path, Map<String, String> variables) {
        return variables.keySet().stream()
                .filter(set -> SettingKey.isWithin(set, path))
                .findFirst()
                .map(variables::get);
    }
}
