package io.iocluster.testkit.chaos.invariant;

/**
 * How much may be repeated.
 *
 * @param executions how often one call may be made again
 * @param answers how many further answers one call may have
 * @param total how many further answers all calls may have together
 */
public record AllowedDuplicates(int executions, int answers, int total) {

    static final AllowedDuplicates NONE = new AllowedDuplicates(0, 0, 0);

    AllowedDuplicates plus(AllowedDuplicates other) {
        return new AllowedDuplicates(executions + other.executions, answers + other.answers, total + other.total);
    }
}
