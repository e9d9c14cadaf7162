package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchBroker;
import io.iocluster.lab.bench.broker.BenchQueueType;
import io.iocluster.lab.bench.broker.KafkaBenchBroker;
import io.iocluster.lab.bench.broker.RabbitBenchBroker;
import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of the benchmark. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Compares the node with a naive loop in alternating rounds and prints the ratio.")
public final class Bench implements Callable<Integer> {

    private static final Map<String, Scenario> SCENARIOS = scenarios(
            new DrainScenario(),
            new LatencyScenario(),
            new OpenCallsScenario(),
            new FairnessScenario(),
            new StartScenario(
                    Path.of(System.getProperty("iocluster.bench.distribution", "")),
                    Runtime.version().feature()),
            new MonitoredScenario(),
            new ScaleScenario());

    @Option(
            names = "--transport",
            defaultValue = "KAFKA",
            description = "Broker: kafka or rabbit. Each has its own naive loop. Default: kafka.")
    private BenchTransport transport;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description =
                    "Scenario to run: drain, latency, fairness, open, start, watched or scale. May be repeated. Default:"
                            + " drain, latency and fairness.")
    private List<String> names = List.of("drain", "latency", "fairness");

    @Option(names = "--rounds", defaultValue = "3", description = "Rounds for each subject. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--partitions",
            defaultValue = "12",
            description = "Kafka: partitions of each topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--queue-type",
            defaultValue = "QUORUM",
            description = "RabbitMQ: quorum or classic queues, both durable. Default: quorum, like the queues that"
                    + " the node declares.")
    private BenchQueueType queueType;

    @Option(
            names = "--max-in-flight",
            defaultValue = "300",
            description = "drain, latency, fairness, start: maximum calls in flight. Default: ${DEFAULT-VALUE}.")
    private int maxInFlight;

    @Option(
            names = "--requests",
            description = "drain: calls of a new process, which are all measured. The steady part is 20 to 95 %% of"
                    + " them. Default: 1000000, with RabbitMQ 300000.")
    private Integer requests;

    @Option(
            names = "--warmup",
            description =
                    "All scenarios except drain: warm-up calls before each measurement, which the target answers at once, for JIT"
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
    private boolean shakedown;

    @Option(
            names = "--rate",
            description = "latency, open, start: calls per second. Default: 1700, with RabbitMQ 1000.")
    private Integer rate;

    @Option(
            names = "--seconds",
            defaultValue = "30",
            description = "latency, open: measured seconds. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warmup-seconds",
            defaultValue = "60",
            description =
                    "latency, open, fairness, start: seconds of calls before the measurement. In fairness, the first half"
                            + " also calls other bad hosts. Default: ${DEFAULT-VALUE}.")
    private int warmupSeconds;

    @Option(
            names = "--start-first",
            defaultValue = "5",
            description = "start: seconds of the first calls, from the moment at which the node is ready. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int startFirst;

    @Option(
            names = "--start-steady-from",
            defaultValue = "30",
            description = "start: start of the steady part, in seconds since the node was ready. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int startSteadyFrom;

    @Option(
            names = "--start-steady-to",
            defaultValue = "40",
            description = "start: end of the steady part and of the calls. Default: ${DEFAULT-VALUE}.")
    private int startSteadyTo;

    @Option(
            names = "--open",
            defaultValue = "10000",
            description = "open: calls that stay open. Default: ${DEFAULT-VALUE}.")
    private int openCalls;

    @Option(
            names = "--fair-rate",
            defaultValue = "1000",
            description = "fairness: calls per second to good and bad hosts together. Default: ${DEFAULT-VALUE}.")
    private int fairRate;

    @Option(
            names = "--fair-calls",
            defaultValue = "20000",
            description = "fairness: measured calls. Of five calls, two go to a host that takes 100 ms, and one each"
                    + " to a host that never accepts a connection, a host that takes 5 s and a host that answers 503."
                    + " The node's default timeouts and deadline apply: a call ends within 30 s. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int fairCalls;

    @Option(
            names = "--watch-calls",
            defaultValue = "300000",
            description =
                    "watched: calls in each window. In two thirds of the windows, a console and a Prometheus read the node."
                            + " Default: ${DEFAULT-VALUE}.")
    private int monitoredCalls;

    @Option(
            names = "--watch-windows",
            defaultValue = "18",
            description = "watched: number of windows: a third each without monitoring, with it, and with an open tap"
                    + " as well. A multiple of 6. Default: ${DEFAULT-VALUE}.")
    private int monitoredWindows;

    @Option(
            names = "--scale-calls",
            defaultValue = "300000",
            description = "scale: measured calls of each point. Default: ${DEFAULT-VALUE}.")
    private int scaleCalls;

    @Option(
            names = "--axis",
            paramLabel = "NAME=VALUE",
            description = "scale: values of an axis, separated by colons, such as hosts=1:100. The axes are backlog,"
                    + " partitions, hosts, in-flight, body and nodes. May be repeated. Default: all axes, with several"
                    + " values each.")
    private Map<String, String> axes = Map.of();

    @Option(
            names = "--naive-linger",
            defaultValue = "5",
            description = "drain on Kafka: linger.ms of the naive loop. Default: ${DEFAULT-VALUE}, as in Kafka.")
    private int linger;

    @Option(
            names = "--subject",
            description =
                    "Measure only node or naive. Default: both. open, fairness, start, watched and scale measure only"
                            + " the node.")
    private List<Subject> subjects = List.of(Subject.NODE, Subject.NAIVE);

    @Option(
            names = "--jvm-arg",
            description = "JVM flag for all subjects, instead of the node's jvm.options; in start, after them."
                    + " May be repeated.")
    private List<String> jvmArgs = jvmOptions();

    @Option(names = "--node-arg", description = "Further argument of the node's `run` command. May be repeated.")
    private List<String> nodeArgs = List.of();

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Node setting, such as workers.threads=1. May be repeated.")
    private Map<String, String> settings = Map.of();

    @Option(
            names = "--json",
            defaultValue = "target/bench/bench.json",
            description = "File of the results. Default: ${DEFAULT-VALUE}.")
    private Path json;

    @Option(
            names = "--html",
            defaultValue = "target/bench/bench.html",
            description = "File of the results as a page with percentile curves, and with those of scale. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Path html;

    /** Returns the node's files of JVM options for all subjects; empty if the start script passes none. */
    private static List<String> jvmOptions() {
        String files = System.getProperty("iocluster.bench.jvm-options", "");
        return files.isEmpty()
                ? List.of()
                : Stream.of(files.split(File.pathSeparator))
                        .map(file -> "@" + file)
                        .toList();
    }

    public static void main(String[] args) {
        int exit = new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((problem, commandLine, parsed) -> {
                    commandLine.getErr().println("bench: " + problem.getMessage());
                    for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
                        commandLine.getErr().println("  caused by: " + cause);
                    }
                    return 1;
                })
                .execute(args);
        System.exit(exit);
    }

    @Override
    public Integer call() {
        List<Scenario> chosen = new ArrayList<>();
        for (String name : names) {
            if (!SCENARIOS.containsKey(name)) {
                System.err.println("unknown scenario: " + name + "; use one of " + SCENARIOS.keySet());
                return 2;
            }
            chosen.add(SCENARIOS.get(name));
        }
        BenchOptions options = new BenchOptions(
                rounds,
                maxInFlight,
                orElse(requests, transport.requests()),
                orElse(warmup, transport.warmup()),
                shakedown,
                orElse(rate, transport.rate()),
                seconds,
                warmupSeconds,
                new BenchOptions.StartWindows(startFirst, startSteadyFrom, startSteadyTo),
                openCalls,
                fairRate,
                fairCalls,
                monitoredCalls,
                monitoredWindows,
                scaleCalls,
                ScaleAxis.parse(axes),
                subjects,
                jvmArgs,
                nodeArgs,
                settings);
        return run(chosen, options, new PrintWriter(System.out, true, StandardCharsets.UTF_8)) ? 0 : 1;
    }

    /** Returns whether all scenarios met their targets. */
    private boolean run(List<Scenario> scenarios, BenchOptions options, PrintWriter out) {
        boolean met = true;
        try (BenchEnvironment environment = new BenchEnvironment(startBroker())) {
            BenchReport report = new BenchReport(environment.title());
            out.println(environment.title());
            for (Scenario scenario : scenarios) {
                if (options.warmUpRun() && scenario.measures(Subject.NAIVE)) {
                    out.println(scenario.name() + ", not measured: warm-up of broker and target");
                    scenario.measure(environment, Subject.NAIVE, 0, options);
                }
                for (int round = 1; round <= scenario.rounds(options); round++) {
                    for (Subject subject : options.subjects()) {
                        if (scenario.measures(subject)) {
                            out.println(scenario.name() + ", round " + round + ": " + subject.label());
                            report.add(scenario.name(), scenario.measure(environment, subject, round, options));
                        }
                    }
                }
                report.print(scenario.name(), out);
                report.setCharts(scenario.name(), scenario.charts(report.measurementsOf(scenario.name())));
                met &= scenario.checkTargets(report.measurementsOf(scenario.name()), out);
                report.writeJson(json);
                report.writeHtml(html);
            }
        }
        out.println("\nwritten to " + json + " and " + html);
        return met;
    }

    private BenchBroker startBroker() {
        return switch (transport) {
            case KAFKA -> new KafkaBenchBroker(partitions, linger);
            case RABBIT -> new RabbitBenchBroker(queueType);
        };
    }

    private static int orElse(Integer given, int fallback) {
        return given == null ? fallback : given;
    }

    private static Map<String, Scenario> scenarios(Scenario... all) {
        Map<String, Scenario> byName = new LinkedHashMap<>();
        for (Scenario one : all) {
            byName.put(one.name(), one);
        }
        return byName;
    }
}
