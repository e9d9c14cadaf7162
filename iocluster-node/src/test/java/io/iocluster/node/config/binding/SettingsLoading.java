package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Helpers to load settings and to get the errors in them. */
public final class SettingsLoading {

    private SettingsLoading() {}

    public static NodeSettings node(String yaml) {
        return node(yaml, Map.of());
    }

    static NodeSettings node(String yaml, Map<String, String> environment) {
        return load(NodeSettings.class, yaml, environment).settings();
    }

    public static <T extends Record> LoadedSettings<T> load(
            Class<T> root, String yaml, Map<String, String> environment) {
        return new SettingsLoader<>(root, environment).load(yaml, Path.of("."));
    }

    public static List<String> errors(String yaml) {
        return errors(NodeSettings.class, yaml, Map.of());
    }

    static <T extends Record> List<String> errors(Class<T> root, String yaml, Map<String, String> environment) {
        AtomicReference<List<String>> found = new AtomicReference<>();
        assertThatThrownBy(() -> load(root, yaml, environment))
                .isInstanceOfSatisfying(
                        InvalidSettingsException.class,
                        invalid -> found.set(invalid.invalidSettings().stream()
                                .map(InvalidSetting::toString)
                                .toList()));
        return found.get();
    }
}
