package io.iocluster.message.usable;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.settings.StatusPattern;
import java.util.List;

/** Says which answers of a target are usable: those with one of these statuses whose body fulfils a condition. Immutable. */
public record UsableRule(
        @Setting(doc = "HTTP statuses of usable answers: `200`, or `2xx` for all of a class. Empty: `2xx`.")
        List<StatusPattern> status,

        @Setting(doc = "A condition for a value in the JSON body of a usable answer.")
        JsonCondition json) {

    /** The rule of a call or a destination that has none. */
    public static final UsableRule NONE = new UsableRule(List.of(), JsonCondition.NONE);

    /** Maximum number of statuses and classes. */
    static final int MAX_STATUSES = 32;

    private static final int HEAP_BYTES = 256;
    private static final int HEAP_BYTES_OF_VALUE = 128;

    public UsableRule {
        status = List.copyOf(status);
        new SettingsValidator()
                .check(
                        status.size() <= MAX_STATUSES,
                        "status",
                        "must have at most " + MAX_STATUSES + " values: " + status.size())
                .throwIfInvalid();
    }

    /** Starts a rule. */
    public static UsableRuleBuilder builder() {
        return new UsableRuleBuilder();
    }

    /** Returns whether the rule has a status or a condition. */
    public boolean isGiven() {
        return !status.isEmpty() || json.isGiven();
    }

    /** Returns whether a usable answer may have this status. */
    public boolean acceptsStatus(int code) {
        return status.isEmpty() ? code / 100 == 2 : StatusPattern.anyMatches(status, code);
    }

    /** Returns an upper bound of the bytes that the rule takes on the heap. */
    public long heapBytes() {
        long chars = (long) json.pointer().length()
                + json.equals().length()
                + json.less().length()
                + json.greater().length();
        long segments = json.pointer().toString().chars().filter(c -> c == '/').count();
        for (JsonScalar value : json.in()) {
            chars += value.length();
        }
        return HEAP_BYTES + HEAP_BYTES_OF_VALUE * (status.size() + json.in().size() + segments) + 2 * 2 * chars;
    }

    /** Returns the rule as readable text, such as {@code status [200], /match equals true}. */
    @Override
    public String toString() {
        return "status " + (status.isEmpty() ? "[2xx]" : status) + (json.isGiven() ? ", " + json : "");
    }
}
