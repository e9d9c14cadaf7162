package io.iocluster.door.config;

import io.iocluster.egress.HostPatterns;
import io.iocluster.producer.AppName;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
                doc = "Maximum rate of the app's calls: `200/s`, `30/m`, `unlimited`. Each branch of an envelope with"
                        + " several calls counts. Further ones get 429.")
        Rate rate,

        @Setting(
                value = "[]",
                doc =
                        "Hosts that the app may call: `partner.example`, `*.partner.example` for all its subdomains, or the"
                                + " name of an entry of `destinations` for its hosts. Calls to others get 403. Empty: every host"
                                + " that `egress` allows.")
        List<String> destinations) {

    public DoorAppSettings {
        destinations = List.copyOf(destinations);
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
    static void checkUniqueNamesAndTokens(SettingsValidator validator, List<DoorAppSettings> apps) {
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

    /** Adds an error for each entry of {@link #destinations} that is neither a name of a destination nor a host. */
    void checkDestinations(SettingsValidator validator, String path, Set<String> names) {
        validator.checkEach(
                path + ".destinations",
                destinations,
                (key, each) -> validator.checkParses(
                        key, names.contains(each) ? "named.destination" : each, HostPatterns::validate));
    }

    /** Returns a copy with the hosts of the destinations that {@link #destinations} names. */
    DoorAppSettings withHosts(Map<String, List<String>> hostsByName) {
        List<String> hosts = destinations.stream()
                .flatMap(each -> hostsByName.getOrDefault(each, List.of(each)).stream())
                .toList();
        return new DoorAppSettings(name, token, maxInFlight, rate, hosts);
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "DoorAppSettings[" + name + "]";
    }
}
