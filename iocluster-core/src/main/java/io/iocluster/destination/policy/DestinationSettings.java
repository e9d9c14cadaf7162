package io.iocluster.destination.policy;

import io.iocluster.egress.HostPatterns;
import io.iocluster.settings.Inlined;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One destination by the hosts that it means; they share what its policy allows. */
public record DestinationSettings(
        @Setting(
                doc = "The hosts: `partner.example`, or `*.partner.example` for all below it. The first entry that"
                        + " matches holds.")
        List<String> match,

        @Setting(
                value = "\"\"",
                doc = "What metrics and `/api/destinations` call it; empty: its first host, as written.")
        String name,

        @Inlined DestinationPolicy policy) {

    public DestinationSettings {
        match = List.copyOf(match);
        name = name.isEmpty() && !match.isEmpty() ? match.get(0) : name;
        SettingsValidator mistakes = new SettingsValidator()
                .check(!match.isEmpty(), "match", "must name at least one host")
                .check(
                        match.contains(name) || name.matches("[\\w.*-]{1,100}"),
                        "name",
                        "must be up to 100 letters, digits and any of . _ * -: " + name)
                .check(
                        !name.equals("other"),
                        "name",
                        "must not be other, which stands for all that are not told apart");
        mistakes.checkEach("match", match, (key, host) -> mistakes.checkParses(key, host, HostPatterns::validate));
        mistakes.throwIfInvalid();
    }

    /**
     * Checks what no entry can see alone.
     *
     * @param path where the entries stand, for the mistakes' keys
     * @throws InvalidSettingsException if two have the same name
     */
    public static void checkTogether(String path, List<DestinationSettings> entries) {
        Set<String> names = new HashSet<>();
        List<InvalidSetting> mistakes = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            String name = entries.get(i).name();
            if (!names.add(name)) {
                mistakes.add(
                        new InvalidSetting(path + "[" + i + "].name", "is another destination's already: " + name));
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InvalidSettingsException(mistakes);
        }
    }
}
