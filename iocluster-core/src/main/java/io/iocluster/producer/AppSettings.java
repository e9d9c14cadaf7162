package io.iocluster.producer;

import io.iocluster.settings.Inlined;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An entry of {@code apps}: an app with its own quota. Immutable. */
public record AppSettings(
        @Setting(doc = "Name of the app: the value of the header `producers.header` in its messages.")
        String name,

        @Inlined AppQuota quota) {

    public AppSettings {
        new SettingsValidator()
                .check(
                        AppName.isValid(name),
                        "name",
                        "must be up to " + AppName.MAX_LENGTH + " letters, digits and any of . _ -: " + name)
                .check(
                        !AppName.isReserved(name),
                        "name",
                        "must not be other or unknown, which are reserved names: " + name)
                .throwIfInvalid();
    }

    /**
     * Checks that no two entries have the same name.
     *
     * @param path the configuration path of the entries, for the error messages
     * @throws InvalidSettingsException if two entries have the same name
     */
    public static void requireUniqueNames(String path, List<AppSettings> entries) {
        Set<String> names = new HashSet<>();
        List<InvalidSetting> errors = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            String name = entries.get(i).name();
            if (!names.add(name)) {
                errors.add(new InvalidSetting(path + "[" + i + "].name", "is used by another app: " + name));
            }
        }
        if (!errors.isEmpty()) {
            throw new InvalidSettingsException(errors);
        }
    }
}
