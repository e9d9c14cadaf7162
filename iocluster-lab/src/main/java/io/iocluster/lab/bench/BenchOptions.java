package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchQueueType;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The options of the command line. Picocli sets the fields; nothing changes them later. */
final class BenchOptions {

    @Option(
            names = "--transport",
            defaultValue = "KAFKA",
            description = "Broker: kafka or rabbit. Each has its own naive loop. Default: kafka.")
    BenchTransport transport;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description =
                    "Scenario to run: drain, latency, fairness, open, start, watched, siblings or scale. May be repeated."
                            + " Default: drain, latency and fairness.")
    List<String> scenarios = List.of("drain", "latency", "fairness");

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds for each subject. Default: ${DEFAULT-VALUE}.")
    int rounds;

    @Option(
            names = "--partitions",
            defaultValue = "12",
            description = "Kafka: partitions of each topic. Default: ${DEFAULT-VALUE}.")
    int partitions;

    @Option(
            names = "--queue-type",
            defaultValue = "QUORUM",
            description = "RabbitMQ: quorum or classic queues, both durable. Default: quorum, like the queues that"
                    + " the node declares.")
    BenchQueueType queueType;

    @Option(
            names = "--max-in-flight",
            defaultValue = "300",
            description = "drain, latency, fairness, start: maximum calls in flight. Default: ${DEFAULT-VALUE}.")
    int maxInFlight;

    @Option(
            names = "--requests",
            description = "drain: calls of a new process, which are all measured. The steady part is 20 to 95 %% of"
                    + " them. Default: 1000000, with RabbitMQ 300000.")
    private Integer requests;

    @Option(
            names = "--warmup",
            description =
                    "All scenarios except drain and siblings: warm-up calls before each measurement, which the target answers at once, for JIT"
                            + " compilation."
                            + " Default: 1000000, with RabbitMQ 150000.")
    private Integer warmup;

    @Option(
            names = "--shakedown",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether the naive loop runs once, unmeasured, before each scenario, because a cold broker"
                    + " and a cold target slow down the first subject. Default: ${DEFAULT-VALUE}.")
    boolean shakedown;

    @Option(
            names = "--rate",
            description = "latency, open, start, siblings: calls per second. Default: 1700, with RabbitMQ 1000.")
    private Integer rate;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            description =
                    "latency, open: measured seconds. siblings: measured seconds of each kind of other calls. Default:"
                            + " ${DEFAULT-VALUE}.")
    int seconds;

    @Option(
            names = "--warmup-seconds",
            defaultValue = "60",
            description =
                    "latency, open, fairness, start, siblings: seconds of calls before the measurement. In fairness, the first half"
                            + " also calls other bad hosts. Default: ${DEFAULT-VALUE}.")
    int warmupSeconds;

    @Option(
            names = "--start-first",
            defaultValue = "5",
            description = "start: seconds of the first calls, from the moment at which the node is ready. Default:"
                    + " ${DEFAULT-VALUE}.")
    int startFirst;

    @Option(
            names = "--start-steady-from",
            defaultValue = "30",
            description = "start: start of the steady part, in seconds since the node was ready. Default:"
                    + " ${DEFAULT-VALUE}.")
    int startSteadyFrom;

    @Option(
            names = "--start-steady-to",
            defaultValue = "40",
            description = "start: end of the steady part and of the calls. Default: ${DEFAULT-VALUE}.")
    int startSteadyTo;

    @Option(
            names = "--open",
            defaultValue = "10000",
            description = "open: calls that stay open. Default: ${DEFAULT-VALUE}.")
    int openCalls;

    @Option(
            names = "--fair-rate",
            defaultValue = "1000",
            description = "fairness: calls per second to good and bad hosts together. Default: ${DEFAULT-VALUE}.")
    int fairRate;

    @Option(
            names = "--fair-calls",
            defaultValue = "20000",
            description = "fairness: measured calls. Of five calls, two go to a host that takes 100 ms, and one each"
                    + " to a host that never accepts a connection, a host that takes 5 s and a host that answers 503."
                    + " The node's default timeouts and deadline apply: a call ends within 30 s. Default:"
                    + " ${DEFAULT-VALUE}.")
    int fairCalls;

    @Option(
            names = "--watch-calls",
            defaultValue = "300000",
            description =
                    "watched: calls in each window. In two thirds of the windows, a console and a Prometheus read the node."
                            + " Default: ${DEFAULT-VALUE}.")
    int monitoredCalls;

    @Option(
            names = "--watch-windows",
            defaultValue = "18",
            description = "watched: number of windows: a third each without monitoring, with it, and with an open tap"
                    + " as well. A multiple of 6. Default: ${DEFAULT-VALUE}.")
    int monitoredWindows;

    @Option(
            names = "--scale-calls",
            defaultValue = "300000",
            description = "scale: measured calls of each point. Default: ${DEFAULT-VALUE}.")
    int scaleCalls;

    @Option(
            names = "--axis",
            paramLabel = "NAME=VALUE",
            description = "scale: values of an axis, separated by colons, such as hosts=1:100. The axes are backlog,"
                    + " partitions, hosts, in-flight, body and nodes. May be repeated. Default: all axes, with several"
                    + " values each.")
    Map<String, String> axes = Map.of();

    @Option(
            names = "--naive-linger",
            defaultValue = "5",
            description = "drain on Kafka: linger.ms of the naive loop. Default: ${DEFAULT-VALUE}, as in Kafka.")
    int linger;

    @Option(
            names = "--subject",
            description =
                    "Measure only node or naive. Default: both. open, fairness, start, watched, siblings and scale"
                            + " measure only the node.")
    List<Subject> subjects = List.of(Subject.NODE, Subject.NAIVE);

    @Option(
            names = "--jvm-arg",
            description = "JVM flag for all subjects, instead of the node's jvm.options; in start, after them."
                    + " May be repeated.")
    List<String> jvmArgs = jvmOptions();

    @Option(names = "--node-arg", description = "Further argument of the node's `run` command. May be repeated.")
    List<String> nodeArgs = List.of();

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Node setting, such as workers.threads=1. May be repeated.")
    Map<String, String> settings = Map.of();

    @Option(
            names = "--json",
            defaultValue = "target/bench/bench.json",
            description = "File of the results. Default: ${DEFAULT-VALUE}.")
    Path json;

    @Option(
            names = "--html",
            defaultValue = "target/bench/bench.html",
            description = "File of the results as a page with percentile curves, and with those of scale. Default:"
                    + " ${DEFAULT-VALUE}.")
    Path html;

    /** Returns the node's files of JVM options for all subjects; empty if the start script passes none. */
    private static List<String> jvmOptions() {
        String files = System.getProperty("iocluster.bench.jvm-options", "");
        return files.isEmpty()
                ? List.of()
                : Stream.of(files.split(File.pathSeparator))
                        .map(file -> "@" + file)
                        .toList();
    }

    /** Returns the number of calls of the drain scenario. */
    int requests() {
        return requests == null ? transport.requests : requests;
    }

    /** Returns the number of unmeasured calls before each measurement, except in the drain scenario. */
    int warmup() {
        return warmup == null ? transport.warmup : warmup;
    }

    /** Returns the calls per second of the latency, open and start scenarios. */
    int rate() {
        return rate == null ? transport.rate : rate;
    }

    /**
     * Returns the windows of the start scenario.
     *
     * @throws IllegalArgumentException if they do not follow each other
     */
    StartWindows startWindows() {
        return new StartWindows(startFirst, startSteadyFrom, startSteadyTo);
    }

    /**
     * Returns the values of each axis of the scale scenario that is measured, by its name.
     *
     * @throws IllegalArgumentException if an axis or a value is invalid
     */
    Map<String, List<Integer>> scaleValues() {
        return ScaleAxis.parse(axes);
    }

    /**
     * The windows of the start scenario, in seconds since the node was ready. The last call is due at the end of the second one.
     *
     * @param first length of the first window
     * @param steadyFrom start of the second window
     * @param steadyTo end of the second window
     */
    record StartWindows(int first, int steadyFrom, int steadyTo) {

        StartWindows {
            if (first < 1 || steadyFrom < first || steadyTo <= steadyFrom) {
                throw new IllegalArgumentException("the windows of the start scenario must follow each other: 0 to "
                        + first + " s, " + steadyFrom + " to " + steadyTo + " s");
            }
        }
    }
}
