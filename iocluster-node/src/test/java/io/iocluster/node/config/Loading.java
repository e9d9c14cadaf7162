package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.Mistake;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** Short ways for tests to load settings and to see what is wrong with them. */
final class Loading {

    private Loading() {}

    static NodeSettings node(String yaml) {
        return node(yaml, Map.of());
    }

    static NodeSettings node(String yaml, Map<String, String> environment) {
        return load(NodeSettings.class, yaml, environment).settings();
    }

    static <T extends Record> LoadedSettings<T> load(Class<T> root, String yaml, Map<String, String> environment) {
        return new SettingsLoader<>(root, environment).load(yaml, Path.of("."));
    }

    static List<String> mistakes(String yaml) {
        return mistakes(NodeSettings.class, yaml, Map.of());
    }

    static <T extends Record> List<String> mistakes(Class<T> root, String yaml, Map<String, String> environment) {
        AtomicReference<List<String>> found = new AtomicReference<>();
        assertThatThrownBy(() -> load(root, yaml, environment))
                .isInstanceOfSatisfying(
                        InvalidSettingsException.class,
                        invalid -> found.set(invalid.mistakes().stream()
                                .map(Mistake::toString)
                                .toList()));
        return found.get();
    }
}
