package io.iocluster.credential;

import io.iocluster.credential.signature.AwsSigV4Settings;
import io.iocluster.credential.signature.AwsSigner;
import io.iocluster.credential.signature.StandardWebhooksSettings;
import io.iocluster.credential.signature.WebhookSigner;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Configures one credential: what is sent, and to which hosts. */
public record CredentialSettings(
        @Setting(
                doc = "The hosts that may receive the credential: `partner.example`, `*.partner.example` for all"
                        + " subdomains, `partner.example:8443` for that port only. A call to another host that names"
                        + " the credential is rejected.")
        List<String> hosts,

        @Setting(
                value = "[https]",
                doc = "Schemes of the URLs that may receive the credential. With `http` it is sent unencrypted, and"
                        + " `check` warns.")
        List<String> schemes,

        @Setting(secret = true, doc = "Headers to send, by name.")
        Map<String, String> headers,

        @Setting(value = "\"\"", secret = true, doc = "A token that is sent as `Authorization: Bearer …`.")
        String bearer,

        @Setting(doc = "User and password, sent as `Authorization: Basic …`.")
        BasicAuthSettings basic,

        @Setting(doc = "A token that the node fetches, sent as `Authorization: Bearer …`.")
        OAuth2Settings oauth2,

        @Setting(doc = "Signs id, time and body of each attempt as Standard Webhooks 1.0 defines.")
        StandardWebhooksSettings standardWebhooks,

        @Setting(doc = "Signs each attempt for AWS (Signature Version 4), in the header `Authorization`.")
        AwsSigV4Settings awsSigV4) {

    static final String AUTHORIZATION = "Authorization";

    public CredentialSettings {
        hosts = List.copyOf(hosts);
        schemes = List.copyOf(schemes);
        headers = Map.copyOf(headers);
        int authorizations = (bearer.isEmpty() ? 0 : 1)
                + (basic.isConfigured() ? 1 : 0)
                + (oauth2.isConfigured() ? 1 : 0)
                + (awsSigV4.isConfigured() ? 1 : 0)
                + (headers.keySet().stream().anyMatch(AUTHORIZATION::equalsIgnoreCase) ? 1 : 0);
        SettingsValidator validator = new SettingsValidator()
                .check(!hosts.isEmpty(), "hosts", "must name at least one host")
                .check(!schemes.isEmpty(), "schemes", "must name at least one scheme")
                .check(
                        authorizations > 0 || !headers.isEmpty() || standardWebhooks.isConfigured(),
                        "headers",
                        "must be set, or one of bearer, basic, oauth2, standard-webhooks and aws-sig-v4: the"
                                + " credential has nothing to"
                                + " send")
                .check(
                        authorizations < 2,
                        "headers",
                        "must set Authorization only once: several of headers, bearer, basic, oauth2 and aws-sig-v4"
                                + " set it")
                .check(
                        CredentialHeaders.isValidValue(bearer),
                        "bearer",
                        "must be visible ASCII without spaces around it");
        validator.checkEach("hosts", hosts, (key, host) -> validator.checkParses(key, host, CredentialHosts::validate));
        validator.checkEach(
                "schemes",
                schemes,
                (key, scheme) -> validator.check(
                        scheme.equals("https") || scheme.equals("http"), key, "must be https or http: " + scheme));
        headers.forEach((name, value) -> validator.check(
                CredentialHeaders.isValidName(name) && CredentialHeaders.isValidValue(value),
                "headers",
                "must be header names that an envelope may have, each with a value of visible ASCII"));
        validator.check(
                headers.keySet().stream()
                                .map(name -> name.toLowerCase(Locale.ROOT))
                                .distinct()
                                .count()
                        == headers.size(),
                "headers",
                "must contain each header only once; names are not case-sensitive");
        validator.check(
                !standardWebhooks.isConfigured() || headers.keySet().stream().noneMatch(WebhookSigner::isHeader),
                "headers",
                "must not contain webhook-id, webhook-timestamp or webhook-signature, because standard-webhooks sets"
                        + " them");
        validator.check(
                !awsSigV4.isConfigured() || headers.keySet().stream().noneMatch(AwsSigner::isHeader),
                "headers",
                "must not contain Authorization, X-Amz-Date, X-Amz-Content-Sha256 or X-Amz-Security-Token, because"
                        + " aws-sig-v4 sets them");
        validator.throwIfInvalid();
    }

    /**
     * Returns a warning for each setting that sends a secret unencrypted, with the path below this one; may be empty.
     */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (schemes.contains("http")) {
            boolean sendsSecret =
                    !headers.isEmpty() || !bearer.isEmpty() || basic.isConfigured() || oauth2.isConfigured();
            warnings.add("schemes has http: " + (sendsSecret ? "the secret is" : "signed calls are")
                    + " sent unencrypted to " + String.join(", ", hosts) + "; use [https]");
        }
        if (oauth2.isConfigured() && oauth2.tokenUrl().toLowerCase(Locale.ROOT).startsWith("http:")) {
            warnings.add("oauth2.token-url begins with http: the client's secret is sent unencrypted; use https");
        }
        return List.copyOf(warnings);
    }

    /**
     * Checks the names of all credentials.
     *
     * @param path the path of the section, for the error messages
     * @throws InvalidSettingsException if a name is not valid in an envelope
     */
    public static void checkNames(String path, Map<String, CredentialSettings> byName) {
        List<InvalidSetting> invalidNames = new TreeSet<>(byName.keySet())
                .stream()
                        .filter(name -> !name.matches("[\\w-]{1,100}"))
                        .map(name -> new InvalidSetting(
                                path, "must have names of 1 to 100 letters, digits, _ and -: " + name))
                        .toList();
        if (!invalidNames.isEmpty()) {
            throw new InvalidSettingsException(invalidNames);
        }
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "CredentialSettings" + hosts;
    }
}
