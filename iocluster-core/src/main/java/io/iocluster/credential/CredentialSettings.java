package io.iocluster.credential;

import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** One credential: what is sent, and to whom it may be sent. */
public record CredentialSettings(
        @Setting(
                doc = "The hosts that may receive the credential: `partner.example`, or `*.partner.example` for all"
                        + " subdomains. `partner.example:8443` allows that port only. A call to another host that"
                        + " names the credential is rejected.")
        List<String> hosts,

        @Setting(
                value = "[https]",
                doc = "Schemes by which the credential is sent. With `http` it is sent unencrypted, and `check` warns.")
        List<String> schemes,

        @Setting(secret = true, doc = "Headers that are sent, by name.")
        Map<String, String> headers,

        @Setting(value = "\"\"", secret = true, doc = "A token that is sent as `Authorization: Bearer …`.")
        String bearer,

        @Setting(doc = "User and password, sent as `Authorization: Basic …`.")
        BasicAuthSettings basic,

        @Setting(doc = "A token that the node fetches, sent as `Authorization: Bearer …`.")
        OAuth2Settings oauth2) {

    static final String AUTHORIZATION = "Authorization";

    public CredentialSettings {
        hosts = List.copyOf(hosts);
        schemes = List.copyOf(schemes);
        headers = Map.copyOf(headers);
        int ways = (bearer.isEmpty() ? 0 : 1)
                + (basic.isConfigured() ? 1 : 0)
                + (oauth2.isConfigured() ? 1 : 0)
                + (headers.keySet().stream().anyMatch(AUTHORIZATION::equalsIgnoreCase) ? 1 : 0);
        SettingsValidator mistakes = new SettingsValidator()
                .check(!hosts.isEmpty(), "hosts", "must name at least one host")
                .check(!schemes.isEmpty(), "schemes", "must name at least one scheme")
                .check(
                        ways > 0 || !headers.isEmpty(),
                        "headers",
                        "must be set, or one of bearer, basic and oauth2: there is nothing to send")
                .check(
                        ways < 2,
                        "headers",
                        "must give Authorization once: there are several of headers, bearer, basic" + " and oauth2")
                .check(
                        CredentialHeaders.isValidValue(bearer),
                        "bearer",
                        "must be visible ASCII without blanks around it");
        mistakes.checkEach("hosts", hosts, (key, host) -> mistakes.checkParses(key, host, CredentialHosts::validate));
        mistakes.checkEach(
                "schemes",
                schemes,
                (key, scheme) -> mistakes.check(
                        scheme.equals("https") || scheme.equals("http"), key, "must be https or http: " + scheme));
        headers.forEach((name, value) -> mistakes.check(
                CredentialHeaders.isValidName(name) && CredentialHeaders.isValidValue(value),
                "headers",
                "must be names that a caller may send, each with a value of visible ASCII"));
        mistakes.check(
                headers.keySet().stream()
                                .map(name -> name.toLowerCase(Locale.ROOT))
                                .distinct()
                                .count()
                        == headers.size(),
                "headers",
                "must name each header once, in one spelling");
        mistakes.throwIfInvalid();
    }

    /** Returns a warning for each setting that sends a secret unencrypted, with the path below this one; may be empty. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (schemes.contains("http")) {
            warnings.add("schemes has http: the secret is sent unencrypted to " + String.join(", ", hosts)
                    + "; use [https]");
        }
        if (oauth2.isConfigured() && oauth2.tokenUrl().toLowerCase(Locale.ROOT).startsWith("http:")) {
            warnings.add("oauth2.token-url begins with http: the client's secret is sent unencrypted; use https");
        }
        return List.copyOf(warnings);
    }

    /**
     * Checks what no entry can see alone.
     *
     * @param path where the entries stand, for the mistakes' keys
     * @throws InvalidSettingsException if a name is none that an envelope can be expected to give
     */
    public static void checkNames(String path, Map<String, CredentialSettings> byName) {
        List<InvalidSetting> mistakes = new TreeSet<>(byName.keySet())
                .stream()
                        .filter(name -> !name.matches("[\\w-]{1,100}"))
                        .map(name -> new InvalidSetting(
                                path, "must be named by up to 100 letters, digits, _ and -: " + name))
                        .toList();
        if (!mistakes.isEmpty()) {
            throw new InvalidSettingsException(mistakes);
        }
    }

    /** Everything but the secrets. */
    @Override
    public String toString() {
        return "CredentialSettings" + hosts;
    }
}
