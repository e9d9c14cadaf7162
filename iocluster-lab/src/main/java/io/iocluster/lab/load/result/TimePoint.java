package io.iocluster.lab.load.result;

/**
 * One interval of a run.
 *
 * @param second start of the interval, in whole seconds since the start of the run
 * @param phase the phase at the start of the interval; after the last one {@code drain}
 * @param due number of calls that were due
 * @param sent number of calls that were sent
 * @param ended number of calls that ended, errors included
 * @param errors number of calls that ended as errors
 * @param outstanding number of calls without an answer at the end of the interval
 * @param p50Millis of the calls that ended in the interval; null if they are too few, like the others
 * @param maxMillis 0 if no call ended with an answer
 */
public record TimePoint(
        long second,
        String phase,
        long due,
        long sent,
        long ended,
        long errors,
        long outstanding,
        Double p50Millis,
        Double p90Millis,
        Double p99Millis,
        double maxMillis) {}
