package io.iocluster.lab.load.html;

/**
 * A part of the run that all charts over time show.
 *
 * @param from seconds since the start of the run
 * @param to seconds since the start of the run
 * @param label a letter for a fault, the name of a phase
 * @param fault whether it is a fault; else it is a phase
 */
public record TimeSpan(double from, double to, String label, boolean fault) {}
