package io.iocluster.credential.signature;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.Base64;
import java.util.List;

/** Configures signatures of Standard Webhooks 1.0. */
public record StandardWebhooksSettings(
        @Setting(
                secret = true,
                doc = "Secrets, each as `whsec_` and the base64 of 24 to 64 random bytes. Empty: no signature. To"
                        + " rotate a secret, list the new and the old one; calls are then signed with both.")
        List<String> secrets) {

    public static final StandardWebhooksSettings NONE = new StandardWebhooksSettings(List.of());

    private static final String PREFIX = "whsec_";
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;
    private static final int MAX_SECRETS = 5;

    public StandardWebhooksSettings {
        secrets = List.copyOf(secrets);
        SettingsValidator validator = new SettingsValidator()
                .check(secrets.size() <= MAX_SECRETS, "secrets", "must have at most " + MAX_SECRETS + " entries");
        validator.checkEach(
                "secrets",
                secrets,
                (key, secret) -> validator.check(
                        isValid(secret),
                        key,
                        "must be " + PREFIX + " and the base64 of " + MIN_BYTES + " to " + MAX_BYTES + " bytes"));
        validator.throwIfInvalid();
    }

    public boolean isConfigured() {
        return !secrets.isEmpty();
    }

    private static boolean isValid(String secret) {
        if (!secret.startsWith(PREFIX)) {
            return false;
        }
        try {
            int bytes = key(secret).length;
            return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    static byte[] key(String secret) {
        return Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "StandardWebhooksSettings[" + secrets.size() + "]";
    }
}
