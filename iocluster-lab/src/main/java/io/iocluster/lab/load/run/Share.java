package io.iocluster.lab.load.run;

/**
 * The share of one process in the calls of a run.
 *
 * @param agents number of processes
 * @param index of this process, from 0
 */
public record Share(int agents, int index) {

    /** All calls. */
    public static final Share ALL = new Share(1, 0);

    public Share {
        if (agents < 1 || index < 0 || index >= agents) {
            throw new IllegalArgumentException("no share " + index + " of " + agents);
        }
    }

    /** Returns this share of a number of users, which are divided as evenly as possible. */
    int of(int users) {
        return users / agents + (index < users % agents ? 1 : 0);
    }
}
