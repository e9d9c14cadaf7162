package io.iocluster.message.usable;

import java.util.Locale;

/** Whether an answer is usable, and if it is not, the reason. The names of the reasons are part of the answer contract. */
public enum Usability {
    /** No rule applies to the answer. */
    UNCHECKED,
    /** The answer fulfils its rule. */
    USABLE,
    /** The rule does not accept the status. */
    STATUS,
    /** The body is not JSON in UTF-8, or exceeds a limit of the parser. */
    NOT_JSON,
    /** The value does not end within the part of the body that the node received or reads. */
    TOO_LONG,
    /** The value is missing or is not what the rule asks for. */
    NO_MATCH;

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the name of a reason in answers and metrics. */
    public String wireName() {
        return wireName;
    }

    /** Returns whether a rule applies to the answer and the answer does not fulfil it. */
    public boolean isUnusable() {
        return this != UNCHECKED && this != USABLE;
    }

    /** Returns the name of the reason; null if the answer is usable or was not checked. */
    public String reason() {
        return isUnusable() ? wireName : null;
    }
}
