package io.iocluster.door.config;

import io.iocluster.producer.AppName;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An app that may use the door. */
public record DoorAppSettings(
        @Setting(doc = "Name of the app. Nodes count and limit its calls by this name: see [producers](producers.md).")
        String name,

        @Setting(
                value = "\"\"",
                secret = true,
                doc = "The app's token, which its requests send as `Authorization: Bearer …`. If one app has a token,"
                        + " every request needs one. Empty: no token.")
        String token,

        @Setting(
                value = "0",
                doc = "Maximum number of the app's calls that the door works on at the same time. Further ones get 429."
                        + " 0: only `door.limits.max-in-flight`.")
        int maxInFlight,

        @Setting(
                value = "unlimited",
                doc = "Maximum rate of the app's calls: `200/s`, `30/m`, `unlimited`. Further ones get 429.")
        Rate rate) {

    public DoorAppSettings {
        new SettingsValidator()
                .check(
                        AppName.isValid(name) && !AppName.isReserved(name),
                        "name",
                        "must be up to 64 letters, digits and any of . _ -, and neither other nor unknown: " + name)
                .check(token.matches("[\\x21-\\x7e]*"), "token", "must be visible ASCII without spaces")
                .checkRange("max-in-flight", maxInFlight, 0, 1_000_000)
                .throwIfInvalid();
    }

    /** Adds an error for each name or token that two apps have. */
    static void checkTogether(SettingsValidator validator, List<DoorAppSettings> apps) {
        Set<String> names = new HashSet<>();
        Set<String> tokens = new HashSet<>();
        validator.checkEach(
                "apps",
                apps,
                (path, app) -> validator
                        .check(names.add(app.name), path + ".name", "is used by another app: " + app.name)
                        .check(
                                app.token.isEmpty() || tokens.add(app.token),
                                path + ".token",
                                "is used by another app"));
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "DoorAppSettings[" + name + "]";
    }
}
