package io.iocluster.lab.bench;

import java.util.List;

/**
 * The progress of a subject at a moment.
 *
 * @param answers number of answers on the queue
 * @param nanos this process's {@code nanoTime}
 * @param cpu the CPU times so far
 */
record Moment(long answers, long nanos, CpuTimes cpu) {

    /** Waits for at least {@code wanted} answers and returns the moment of their arrival, at most 20 ms late. */
    public static Moment await(
            long wanted, BenchEnvironment environment, RunningSubject running, AnswerCounter answers) {
        return await(wanted, environment, List.of(running), answers);
    }

    /** Waits like the other method, and adds up the CPU times of several processes of the subject. */
    public static Moment await(
            long wanted, BenchEnvironment environment, List<RunningSubject> running, AnswerCounter answers) {
        long count = answers.await(wanted);
        return new Moment(count, System.nanoTime(), CpuTimes.now(environment, running));
    }

    /** Returns what happened from {@code start} until this moment. */
    public Span since(Moment start) {
        return new Span(answers - start.answers, nanos - start.nanos, cpu.since(start.cpu));
    }

    /**
     * The time between two moments.
     *
     * @param calls number of calls that were answered, at least one
     */
    public record Span(long calls, long nanos, CpuTimes cpu) {

        public double callsPerSecond() {
            return calls * 1e9 / nanos;
        }

        /** Returns the subject's CPU time for each call, in microseconds. */
        public double cpuMicrosPerCall() {
            return (double) cpu.subject() / calls;
        }
    }
}
