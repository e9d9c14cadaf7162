package io.iocluster.lab.load.result;

/**
 * A fault of a run.
 *
 * @param description what was done: {@code limit-destination partner max-in-flight 5}
 * @param fromSeconds when it started, in seconds since the start of the run
 * @param toSeconds when it was undone; null if it was not
 * @param problem why it could not be started or undone; null if it was
 */
public record FaultMark(String name, String description, double fromSeconds, Double toSeconds, String problem) {}
