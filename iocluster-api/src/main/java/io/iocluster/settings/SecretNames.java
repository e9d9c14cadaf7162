package io.iocluster.settings;

import java.util.regex.Pattern;

/**
 * Which properties of a free-form map hold secrets, told by their names: {@code sasl.jaas.config}, {@code
 * ssl.key.password}. The one rule for whatever shows settings; it rather hides too much.
 */
public final class SecretNames {

    private static final Pattern SECRET = Pattern.compile(
            "password|passphrase|secret|token|jaas|credential|api-?key|private|(^|\\.)key$", Pattern.CASE_INSENSITIVE);

    private SecretNames() {}

    /** Whether the value of the property with this name must not be shown. */
    public static boolean isSecret(String property) {
        return SECRET.matcher(property).find();
    }
}
