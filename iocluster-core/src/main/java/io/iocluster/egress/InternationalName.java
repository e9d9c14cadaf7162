package io.iocluster.egress;

import com.ibm.icu.text.IDNA;
import com.ibm.icu.util.ICUInputTooLongException;
import java.util.EnumSet;
import java.util.Set;

/**
 * Converts names beyond ASCII to the name that a browser would look up: IDNA 2008 as UTS 46 defines it, nontransitional,
 * with the parameters of the URL Standard (CheckHyphens false, CheckBidi and CheckJoiners true). Rejects what has more
 * than one reading. Thread-safe.
 */
final class InternationalName {

    private static final String ACE_PREFIX = "xn--";

    /**
     * Longest label before the conversion: a letter with two combining marks has three characters and at least one in
     * the converted label. The time of a conversion grows with the square of the length.
     */
    private static final int MAX_TEXT_LENGTH = 3 * HostName.MAX_LABEL_LENGTH;

    /** {@link HostName} checks the lengths of every name; hyphens inside a label are allowed. */
    private static final Set<IDNA.Error> ALLOWED = EnumSet.of(
            IDNA.Error.EMPTY_LABEL, IDNA.Error.LABEL_TOO_LONG, IDNA.Error.DOMAIN_NAME_TOO_LONG, IDNA.Error.HYPHEN_3_4);

    private InternationalName() {}

    /** Returns whether the name needs {@link #toAscii}: if not, it is its own ASCII form. */
    static boolean isInternational(String name) {
        return !isAscii(name) || name.regionMatches(true, 0, ACE_PREFIX, 0, ACE_PREFIX.length()) || hasInnerAce(name);
    }

    private static boolean hasInnerAce(String name) {
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            if (name.regionMatches(true, dot + 1, ACE_PREFIX, 0, ACE_PREFIX.length())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the ASCII form in lower case, whose labels are not yet checked. Returns null in these cases:
     *
     * <ul>
     *   <li>A label is not valid in UTS 46, or the name is too long.
     *   <li>A label beyond ASCII maps to ASCII, or contains a character that maps to a dot. It would be a second spelling
     *       of another host.
     *   <li>A label {@code xn--…} does not decode to a label that encodes to the same text.
     * </ul>
     */
    static String toAscii(String name) {
        for (String label : name.split("\\.", -1)) {
            if (label.length() > MAX_TEXT_LENGTH) {
                return null;
            }
        }
        try {
            String ascii = convert(name);
            if (ascii == null || ascii.length() > HostName.MAX_NAME_LENGTH || !hasSameLabels(name, ascii)) {
                return null;
            }
            IDNA.Info info = new IDNA.Info();
            String unicode = Uts46.INSTANCE
                    .nameToUnicode(ascii, new StringBuilder(ascii.length()), info)
                    .toString();
            return isValid(info) && ascii.equals(convert(unicode)) ? ascii : null;
        } catch (ICUInputTooLongException tooLong) {
            return null; // A few characters can map to a label of more than 1,000.
        }
    }

    private static String convert(String name) {
        IDNA.Info info = new IDNA.Info();
        StringBuilder ascii = Uts46.INSTANCE.nameToASCII(name, new StringBuilder(name.length() + 8), info);
        return isValid(info) ? ascii.toString() : null;
    }

    private static boolean isValid(IDNA.Info info) {
        return ALLOWED.containsAll(info.getErrors());
    }

    private static boolean hasSameLabels(String name, String ascii) {
        String[] before = name.split("\\.", -1);
        String[] after = ascii.split("\\.", -1);
        if (before.length != after.length) {
            return false;
        }
        for (int i = 0; i < before.length; i++) {
            if (isAscii(before[i]) ? !before[i].equalsIgnoreCase(after[i]) : !after[i].startsWith(ACE_PREFIX)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    /** Loads ICU's tables with the first name that needs them, because most nodes call no such name. */
    private static final class Uts46 {

        private static final IDNA INSTANCE = IDNA.getUTS46Instance(IDNA.CHECK_BIDI
                | IDNA.CHECK_CONTEXTJ
                | IDNA.NONTRANSITIONAL_TO_ASCII
                | IDNA.NONTRANSITIONAL_TO_UNICODE);
    }
}
