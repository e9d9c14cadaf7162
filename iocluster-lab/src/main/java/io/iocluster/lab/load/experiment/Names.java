package io.iocluster.lab.load.experiment;

import io.iocluster.settings.SettingsValidator;
import java.util.regex.Pattern;

/** Checks names that expectations and faults refer to. */
final class Names {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}");

    private Names() {}

    static void check(SettingsValidator validator, String name) {
        validator.check(
                NAME.matcher(name).matches(),
                "name",
                "must have up to 64 letters, digits, dots, hyphens and underscores: " + name);
    }
}
