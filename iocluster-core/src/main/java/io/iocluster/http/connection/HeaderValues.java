package io.iocluster.http.connection;

/** Checks the values of response headers, by one rule for both protocols. Stateless. */
public final class HeaderValues {

    private HeaderValues() {}

    /** Returns whether a value has a control character. Tests all without a branch first, because almost no value has one. */
    public static boolean hasControlCharacter(String value) {
        int signs = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            signs |= (c - ' ') | ((c ^ 0x7f) - 1);
        }
        return signs < 0 && value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f);
    }

    /** Removes blanks around a value, which do not belong to it (RFC 9110, section 5.5). */
    public static String withoutOuterBlanks(String value) {
        boolean hasBlank = !value.isEmpty() && (value.charAt(0) <= ' ' || value.charAt(value.length() - 1) <= ' ');
        return hasBlank ? value.strip() : value;
    }
}
