package io.iocluster.bench;

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

    private static final Map<String, Scenario> SCENARIOS = scenarios(new Drain(), new Latency(), new InFlight());

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            description = "drain, latency or in-flight; may be repeated; all by default.")
    private List<String> names = new ArrayList<>(SCENARIOS.keySet());

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "How often each subject is measured: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--partitions", defaultValue = "12", description = "Partitions of each topic: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--max-in-flight",
            defaultValue = "300",
            description = "Calls open at once in drain and latency: ${DEFAULT-VALUE}.")
    private int maxInFlight;

    @Option(names = "--requests", defaultValue = "300000", description = "drain: calls measured: ${DEFAULT-VALUE}.")
    private int requests;

    @Option(
            names = "--warmup",
            defaultValue = "600000",
            description = "Calls answered at once before all else, by which the JVM compiles: ${DEFAULT-VALUE}.")
    private int warmup;

    @Option(names = "--rate", defaultValue = "1700", description = "latency: calls a second: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--seconds", defaultValue = "30", description = "latency: seconds measured: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--warmup-seconds",
            defaultValue = "15",
            description = "latency: seconds before those: ${DEFAULT-VALUE}.")
    private int warmupSeconds;

    @Option(names = "--open", defaultValue = "10000", description = "in-flight: calls open at once: ${DEFAULT-VALUE}.")
    private int wide;

    @Option(
            names = "--open-requests",
            defaultValue = "100000",
            description = "in-flight: calls measured: ${DEFAULT-VALUE}.")
    private int wideRequests;

    @Option(
            names = "--naive-linger",
            defaultValue = "5",
            description = "The naive loop's linger in drain and in-flight, in ms: ${DEFAULT-VALUE}, as Kafka's own.")
    private int linger;

    @Option(names = "--subject", description = "node or naive alone; both by default.")
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
                    commandLine.getErr().println(problem.getMessage());
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
                partitions,
                maxInFlight,
                requests,
                warmup,
                rate,
                seconds,
                warmupSeconds,
                wide,
                wideRequests,
                linger,
                subjects,
                jvmArgs,
                nodeArgs,
                settings);
        run(chosen, options, new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        return 0;
    }

    private void run(List<Scenario> scenarios, BenchOptions options, PrintWriter out) {
        Report report = new Report();
        try (Lab lab = new Lab(options.partitions())) {
            for (Scenario scenario : scenarios) {
                for (int round = 1; round <= options.rounds(); round++) {
                    for (Subject subject : options.subjects()) {
                        out.println(scenario.name() + ", round " + round + ": " + subject.label());
                        report.add(scenario.name(), scenario.measure(lab, subject, round, options));
                    }
                }
                report.print(scenario.name(), out);
                report.writeJson(json);
            }
        }
        out.println("\nwritten to " + json);
    }

    private static Map<String, Scenario> scenarios(Scenario... all) {
        Map<String, Scenario> byName = new LinkedHashMap<>();
        for (Scenario one : all) {
            byName.put(one.name(), one);
        }
        return byName;
    }
}
