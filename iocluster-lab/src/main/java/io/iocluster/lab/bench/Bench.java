package io.iocluster.lab.bench;

import io.iocluster.lab.bench.kafka.KafkaBenchBroker;
import io.iocluster.lab.bench.queue.BenchBroker;
import io.iocluster.lab.bench.rabbit.BenchQueueType;
import io.iocluster.lab.bench.rabbit.RabbitBenchBroker;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.BenchReport;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.scenario.ClientScenario;
import io.iocluster.lab.bench.scenario.DrainScenario;
import io.iocluster.lab.bench.scenario.FairnessScenario;
import io.iocluster.lab.bench.scenario.InFlightScenario;
import io.iocluster.lab.bench.scenario.LatencyScenario;
import io.iocluster.lab.bench.scenario.MonitoredScenario;
import io.iocluster.lab.bench.tuning.TuningScenario;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The bench's command line. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures the node against a naive loop, in turns, and prints the ratio.")
public final class Bench implements Callable<Integer> {

    private static final Map<String, Scenario> SCENARIOS = scenarios(
            new DrainScenario(),
            new LatencyScenario(),
            new InFlightScenario(),
            new FairnessScenario(),
            new ClientScenario(),
            new MonitoredScenario(),
            new TuningScenario());

    @Option(
            names = "--transport",
            defaultValue = "KAFKA",
            description = "kafka or rabbit, each with its own naive loop: kafka.")
    private BenchTransport transport;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description =
                    "drain, latency, in-flight, fairness, client, watched or tuning; may be repeated; all but the last"
                            + " two by default.")
    private List<String> names = List.of("drain", "latency", "in-flight", "fairness", "client");

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "How often each subject is measured: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--partitions",
            defaultValue = "12",
            description = "Kafka: partitions of each topic: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--queue-type",
            defaultValue = "QUORUM",
            description = "RabbitMQ: quorum or classic, both durable: quorum, as the node declares its own.")
    private BenchQueueType queueType;

    @Option(
            names = "--max-in-flight",
            defaultValue = "300",
            description = "Calls open at once in drain, latency and fairness: ${DEFAULT-VALUE}.")
    private int maxInFlight;

    @Option(names = "--requests", description = "drain: calls measured: 300000, on RabbitMQ 150000.")
    private Integer requests;

    @Option(
            names = "--warmup",
            description =
                    "Calls answered at once before all else, by which the JVM compiles: 1000000, on RabbitMQ 150000.")
    private Integer warmup;

    @Option(
            names = "--shakedown",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Whether the naive loop runs once before all that is measured, for a cold broker and a cold"
                    + " target cost whoever comes first.")
    private boolean shakedown;

    @Option(names = "--rate", description = "latency: calls a second: 1700, on RabbitMQ 1000.")
    private Integer rate;

    @Option(names = "--seconds", defaultValue = "30", description = "latency: seconds measured: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warmup-seconds",
            defaultValue = "60",
            description =
                    "latency: seconds before those; fairness: seconds of calls before those measured, half of them to"
                            + " other bad hosts;"
                            + " client: seconds of calls before those measured:"
                            + " ${DEFAULT-VALUE}.")
    private int warmupSeconds;

    @Option(names = "--open", defaultValue = "10000", description = "in-flight: calls open at once: ${DEFAULT-VALUE}.")
    private int wide;

    @Option(
            names = "--open-requests",
            defaultValue = "100000",
            description = "in-flight: calls measured: ${DEFAULT-VALUE}.")
    private int wideRequests;

    @Option(
            names = "--fair-rate",
            defaultValue = "1000",
            description = "fairness: calls a second, to good and bad hosts together: ${DEFAULT-VALUE}.")
    private int fairRate;

    @Option(
            names = "--fair-calls",
            defaultValue = "20000",
            description = "fairness: calls made, of five two to a host that takes 100 ms, and one each to a host that"
                    + " answers no connection attempt, to one that takes 5 s and to one that answers 503:"
                    + " ${DEFAULT-VALUE}. The node's own timeouts and deadline hold: a call ends 30 s after it was"
                    + " read at the latest.")
    private int fairCalls;

    @Option(
            names = "--watch-calls",
            defaultValue = "300000",
            description =
                    "watched: calls of each window, in which a console and a Prometheus look at the node or nobody"
                            + " does: ${DEFAULT-VALUE}.")
    private int watchCalls;

    @Option(
            names = "--watch-windows",
            defaultValue = "16",
            description = "watched: windows, half of them each way: ${DEFAULT-VALUE}.")
    private int watchWindows;

    @Option(
            names = "--tune-rates",
            split = ",",
            defaultValue = "20,100,1700,5000",
            description = "tuning: calls a second, step by step, on a target that takes 100 ms, to a node that makes 50"
                    + " at once at first: ${DEFAULT-VALUE}.")
    private List<Integer> tuneRates;

    @Option(
            names = "--tune-seconds",
            defaultValue = "60",
            description = "tuning: seconds of each step, once with the node's advisor off and once on auto:"
                    + " ${DEFAULT-VALUE}.")
    private int tuneSeconds;

    @Option(
            names = "--svg",
            defaultValue = "target/bench/tuning.svg",
            description = "tuning: its picture: ${DEFAULT-VALUE}.")
    private Path svg;

    @Option(names = "--client-rate", defaultValue = "2000", description = "client: calls a second: ${DEFAULT-VALUE}.")
    private int clientRate;

    @Option(
            names = "--client-calls",
            defaultValue = "20000",
            description =
                    "client: calls measured, to a target that takes 100 ms, and again so many with the node killed"
                            + " in the middle and another started: ${DEFAULT-VALUE}.")
    private int clientCalls;

    @Option(
            names = "--naive-linger",
            defaultValue = "5",
            description =
                    "Kafka: the naive loop's linger in drain and in-flight, in ms: ${DEFAULT-VALUE}, as Kafka's own.")
    private int linger;

    @Option(
            names = "--subject",
            description =
                    "node or naive alone; both by default. fairness, client, watched and tuning measure the" + " node.")
    private List<Subject> subjects = List.of(Subject.NODE, Subject.NAIVE);

    @Option(
            names = "--jvm-arg",
            description = "A flag for every subject's JVM, in place of the node's own jvm.options; may be repeated.")
    private List<String> jvmArgs = jvmOptions();

    @Option(names = "--node-arg", description = "A further argument of the node's `run`; may be repeated.")
    private List<String> nodeArgs = List.of();

    @Option(names = "--set", paramLabel = "PATH=VALUE", description = "A node setting, as workers.threads=1.")
    private Map<String, String> settings = Map.of();

    @Option(names = "--json", defaultValue = "target/bench/bench.json", description = "Results: ${DEFAULT-VALUE}.")
    private Path json;

    /** What the node is shipped with, for every subject; the JVM's defaults where it is not known. */
    private static List<String> jvmOptions() {
        String file = System.getProperty("iocluster.bench.jvm-options");
        return file == null ? List.of() : List.of("@" + file);
    }

    public static void main(String[] args) {
        int exit = new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((problem, commandLine, parsed) -> {
                    commandLine.getErr().println("bench: " + problem.getMessage());
                    for (Throwable cause = problem.getCause(); cause != null; cause = cause.getCause()) {
                        commandLine.getErr().println("  for: " + cause);
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
                System.err.println("no such scenario: " + name + "; there are " + SCENARIOS.keySet());
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
                wide,
                wideRequests,
                fairRate,
                fairCalls,
                watchCalls,
                watchWindows,
                tuneRates,
                tuneSeconds,
                svg,
                clientRate,
                clientCalls,
                subjects,
                jvmArgs,
                nodeArgs,
                settings);
        return run(chosen, options, new PrintWriter(System.out, true, StandardCharsets.UTF_8)) ? 0 : 1;
    }

    /** Whether what is promised was kept. */
    private boolean run(List<Scenario> scenarios, BenchOptions options, PrintWriter out) {
        boolean kept = true;
        try (BenchEnvironment lab = new BenchEnvironment(launch())) {
            BenchReport report = new BenchReport(lab.title());
            out.println(lab.title());
            for (Scenario scenario : scenarios) {
                if (options.warmUpRun() && scenario.measures(Subject.NAIVE)) {
                    out.println(scenario.name() + ", not measured: broker and target warm up");
                    scenario.measure(lab, Subject.NAIVE, 0, options);
                }
                for (int round = 1; round <= scenario.rounds(options); round++) {
                    for (Subject subject : options.subjects()) {
                        if (scenario.measures(subject)) {
                            out.println(scenario.name() + ", round " + round + ": " + subject.label());
                            report.add(scenario.name(), scenario.measure(lab, subject, round, options));
                        }
                    }
                }
                report.print(scenario.name(), out);
                kept &= scenario.checkTargets(report.measurementsOf(scenario.name()), out);
                report.writeJson(json);
            }
        }
        out.println("\nwritten to " + json);
        return kept;
    }

    private BenchBroker launch() {
        return switch (transport) {
            case KAFKA -> new KafkaBenchBroker(partitions, linger);
            case RABBIT -> new RabbitBenchBroker(queueType);
        };
    }

    private static int orElse(Integer given, int standard) {
        return given == null ? standard : given;
    }

    private static Map<String, Scenario> scenarios(Scenario... all) {
        Map<String, Scenario> byName = new LinkedHashMap<>();
        for (Scenario one : all) {
            byName.put(one.name(), one);
        }
        return byName;
    }
}
