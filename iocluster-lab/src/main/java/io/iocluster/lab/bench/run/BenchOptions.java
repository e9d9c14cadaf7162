package io.iocluster.lab.bench.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a bench is run.
 *
 * @param requests calls that a drain measures
 * @param warmup calls before those
 * @param shakedown whether each scenario begins with a run that is not measured
 * @param rate calls a second of the latency scenario
 * @param seconds how long that is measured
 * @param warmupSeconds how long before, and good calls alone before the fairness scenario
 * @param wide calls open at once in the in-flight scenario
 * @param wideRequests calls that it measures
 * @param fairRate calls a second of the fairness scenario, to good and bad hosts together
 * @param fairCalls calls that it makes
 * @param watchCalls calls of each window of the watched scenario
 * @param watchWindows how many windows it has
 * @param tuneRates calls a second of the tuning scenario, step by step
 * @param tuneSeconds how long each step is
 * @param svg where its picture goes
 * @param clientRate calls a second of the client scenario
 * @param clientCalls calls that it makes, and again so many with the node killed in the middle
 * @param settings node settings by path, in place of the bench's own
 */
public record BenchOptions(
        int rounds,
        int maxInFlight,
        int requests,
        int warmup,
        boolean warmUpRun,
        int rate,
        int seconds,
        int warmupSeconds,
        int openCalls,
        int openCallRequests,
        int fairnessRate,
        int fairnessCalls,
        int monitoredCalls,
        int monitoredWindows,
        List<Integer> tuningRates,
        int tuningSeconds,
        Path chartFile,
        int clientRate,
        int clientCalls,
        List<Subject> subjects,
        List<String> jvmArgs,
        List<String> nodeArgs,
        Map<String, String> settings) {}
