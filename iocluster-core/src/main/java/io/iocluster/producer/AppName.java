package io.iocluster.producer;

/** The rules for the names of apps, which are untrusted input. Stateless. */
public final class AppName {

    /** Name of the apps beyond the limit, and of those whose name is not valid. */
    public static final String OTHER = "other";
    /** Name of the apps whose messages give no name. */
    public static final String UNKNOWN = "unknown";

    static final int MAX_LENGTH = 64;

    private AppName() {}

    /** Returns whether the text may become a label: short, and of letters, digits and {@code . _ -} only. */
    public static boolean isValid(String text) {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isAllowed(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '.'
                || c == '_'
                || c == '-';
    }

    /** Returns whether the name stands for several apps. */
    public static boolean isReserved(String name) {
        return name.equals(OTHER) || name.equals(UNKNOWN);
    }
}
