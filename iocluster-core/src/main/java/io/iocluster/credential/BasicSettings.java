package io.iocluster.credential;

import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** User and password of HTTP's basic authentication (RFC 7617). */
public record BasicSettings(
        @Setting(value = "\"\"", doc = "The user; empty: no basic authentication.")
        String username,

        @Setting(value = "\"\"", secret = true, doc = "The password.")
        String password) {

    public static final BasicSettings NONE = new BasicSettings("", "");

    public BasicSettings {
        new Mistakes()
                .check(username.indexOf(':') < 0, "username", "must have no colon")
                .check(!username.isEmpty() || password.isEmpty(), "username", "must be set, for there is a password")
                .raise();
    }

    boolean isSet() {
        return !username.isEmpty();
    }

    String authorization() {
        return authorization(username, password);
    }

    static String authorization(String username, String password) {
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    /** Everything but the password. */
    @Override
    public String toString() {
        return "BasicSettings[" + username + "]";
    }
}
