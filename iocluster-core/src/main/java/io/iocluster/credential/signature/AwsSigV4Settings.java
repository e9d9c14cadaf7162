package io.iocluster.credential.signature;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Configures signatures of AWS (Signature Version 4). */
public record AwsSigV4Settings(
        @Setting(value = "\"\"", doc = "Access key id. Empty: no signature.")
        String accessKeyId,

        @Setting(value = "\"\"", secret = true, doc = "Secret access key.")
        String secretAccessKey,

        @Setting(value = "\"\"", secret = true, doc = "Session token of temporary credentials. Empty: none.")
        String sessionToken,

        @Setting(value = "\"\"", doc = "Region of the service, such as `eu-west-1`.")
        String region,

        @Setting(value = "\"\"", doc = "Name of the service in signatures, such as `execute-api`, `lambda` or `s3`.")
        String service) {

    public static final AwsSigV4Settings NONE = new AwsSigV4Settings("", "", "", "", "");

    private static final String NAME = "[a-z0-9-]{1,64}";

    public AwsSigV4Settings {
        boolean used = !accessKeyId.isEmpty();
        SettingsValidator validator = new SettingsValidator();
        if (used) {
            validator
                    .check(accessKeyId.matches("\\w{1,128}"), "access-key-id", "must be letters, digits and _")
                    .check(
                            isToken(secretAccessKey),
                            "secret-access-key",
                            "must be set, in visible ASCII without spaces")
                    .check(
                            sessionToken.isEmpty() || isToken(sessionToken),
                            "session-token",
                            "must be visible ASCII without spaces")
                    .check(region.matches(NAME), "region", "must be a region such as eu-west-1: " + region)
                    .check(service.matches(NAME), "service", "must be a service such as execute-api: " + service);
        } else {
            validator.check(
                    secretAccessKey.isEmpty() && sessionToken.isEmpty() && region.isEmpty() && service.isEmpty(),
                    "access-key-id",
                    "must be set if another key of aws-sig-v4 is set");
        }
        validator.throwIfInvalid();
    }

    private static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    public boolean isConfigured() {
        return !accessKeyId.isEmpty();
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "AwsSigV4Settings[" + accessKeyId + ", " + region + ", " + service + "]";
    }
}
