package io.iocluster.settings;

import java.util.regex.Pattern;

/**
 * Detects by name which properties of a free-form map hold secrets, such as {@code sasl.jaas.config} or {@code
 * ssl.key.password}. Every display of settings uses this rule. It prefers to hide too much. Stateless.
 */
public final class SecretNames {

    private static final Pattern SECRET = Pattern.compile(
            "password|passphrase|secret|token|jaas|credential|api-?key|private|(^|\\.)key$", Pattern.CASE_INSENSITIVE);

    private SecretNames() {}

    /** Returns whether the value of this property must not be shown. */
    public static boolean isSecret(String property) {
        return SECRET.matcher(property).find();
    }
}
