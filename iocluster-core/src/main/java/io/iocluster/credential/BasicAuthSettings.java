package io.iocluster.credential;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Configures HTTP basic authentication (RFC 7617). */
public record BasicAuthSettings(
        @Setting(value = "\"\"", doc = "User name. Empty: no basic authentication.")
        String username,

        @Setting(value = "\"\"", secret = true, doc = "Password.")
        String password) {

    public static final BasicAuthSettings NONE = new BasicAuthSettings("", "");

    public BasicAuthSettings {
        new SettingsValidator()
                .check(username.indexOf(':') < 0, "username", "must not contain a colon")
                .check(!username.isEmpty() || password.isEmpty(), "username", "must be set if password is set")
                .throwIfInvalid();
    }

    public boolean isConfigured() {
        return !username.isEmpty();
    }

    String authorizationHeader() {
        return authorizationHeader(username, password);
    }

    static String authorizationHeader(String username, String password) {
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "BasicAuthSettings[" + username + "]";
    }
}
