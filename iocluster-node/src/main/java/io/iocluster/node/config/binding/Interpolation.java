package io.iocluster.node.config.binding;

import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replaces references in a tree's text: {@code ${NAME}} and {@code ${NAME:default}} by an environment variable, {@code
 * ${file:PATH}} by the content of a file without its last line break. A preceding dollar sign escapes a reference.
 * Inserted values are not interpolated again. Confined to one load.
 */
final class Interpolation {

    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\$\\{|\\$\\{file:(?<file>[^}]+)}|\\$\\{(?<name>[A-Za-z_]\\w*)(?<default>:[^}]*)?}"
                    + "|(?<broken>\\$\\{[^}]*}?)");
    private static final int MAX_FILE_BYTES = 1 << 20;

    private final Map<String, String> environment;
    private final Path base;
    private final List<InvalidSetting> errors;
    private final Set<String> fromFiles;
    private final Set<Path> files;

    /**
     * @param base folder of relative files
     * @param errors receives the errors
     * @param fromFiles receives the paths of values that contain a file's content
     * @param files receives the files that are referenced
     */
    Interpolation(
            Map<String, String> environment,
            Path base,
            List<InvalidSetting> errors,
            Set<String> fromFiles,
            Set<Path> files) {
        this.environment = environment;
        this.base = base;
        this.errors = errors;
        this.fromFiles = fromFiles;
        this.files = files;
    }

    /** Returns a copy of the tree with all references replaced. */
    JsonNode resolve(JsonNode tree, String path) {
        if (tree instanceof ObjectNode object) {
            ObjectNode resolved = JsonNodeFactory.instance.objectNode();
            object.forEachEntry((key, value) -> resolved.set(key, resolve(value, SettingKey.join(path, key))));
            return resolved;
        }
        if (tree instanceof ArrayNode array) {
            ArrayNode resolved = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < array.size(); i++) {
                resolved.add(resolve(array.get(i), path + "[" + i + "]"));
            }
            return resolved;
        }
        return tree.isNull() ? tree : JsonNodeFactory.instance.stringNode(text(tree.asString(), path));
    }

    private String text(String text, String path) {
        return REFERENCE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value((Matcher) found, path)));
    }

    private String value(Matcher reference, String path) {
        if (reference.group("broken") != null) {
            errors.add(new InvalidSetting(
                    path, "has a malformed reference; use ${NAME}, ${NAME:default} or" + " ${file:PATH}"));
            return "";
        }
        if (reference.group("file") != null) {
            fromFiles.add(path);
            return content(reference.group("file"), path);
        }
        String name = reference.group("name");
        return name == null ? "${" : variable(name, reference.group("default"), path);
    }

    private String variable(String name, String fallback, String path) {
        String value = environment.get(name);
        if (value != null) {
            return value;
        }
        if (fallback != null) {
            return fallback.substring(1);
        }
        errors.add(new InvalidSetting(path, "needs the environment variable " + name + ", which is not set"));
        return "";
    }

    private String content(String file, String path) {
        Path source;
        try {
            source = base.resolve(file);
        } catch (InvalidPathException illegal) {
            errors.add(new InvalidSetting(path, "names an invalid file path: " + file));
            return "";
        }
        files.add(source);
        try {
            if (Files.size(source) > MAX_FILE_BYTES) {
                errors.add(new InvalidSetting(path, "names a file that is larger than 1MiB: " + file));
                return "";
            }
            return Files.readString(source).replaceFirst("\\R\\z", "");
        } catch (IOException unreadable) {
            String reason = FileReadError.reason(source, unreadable);
            errors.add(new InvalidSetting(path, "names a file that cannot be read (" + reason + "): " + file));
            return "";
        }
    }
}
