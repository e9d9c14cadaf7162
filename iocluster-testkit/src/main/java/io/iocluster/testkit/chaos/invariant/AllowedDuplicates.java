package io.iocluster.testkit.chaos.invariant;

/**
 * The duplicates that faults may cause. Immutable.
 *
 * @param executions maximum number of repeated executions of one call
 * @param answers maximum number of duplicate answers of one call
 * @param total maximum number of duplicate answers of all calls
 */
public record AllowedDuplicates(int executions, int answers, int total) {

    static final AllowedDuplicates NONE = new AllowedDuplicates(0, 0, 0);

    AllowedDuplicates plus(AllowedDuplicates other) {
        return new AllowedDuplicates(executions + other.executions, answers + other.answers, total + other.total);
    }
}
