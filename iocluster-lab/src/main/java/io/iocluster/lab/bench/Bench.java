package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.BenchBroker;
import io.iocluster.lab.bench.broker.KafkaBenchBroker;
import io.iocluster.lab.bench.broker.RabbitBenchBroker;
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
import picocli.CommandLine.Mixin;

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
            new SiblingsScenario(),
            new ScaleScenario());

    @Mixin
    private BenchOptions options;

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
        for (String name : options.scenarios) {
            if (!SCENARIOS.containsKey(name)) {
                System.err.println("unknown scenario: " + name + "; use one of " + SCENARIOS.keySet());
                return 2;
            }
            chosen.add(SCENARIOS.get(name));
        }
        // Invalid values end the benchmark before it starts a broker.
        options.startWindows();
        options.scaleValues();
        return run(chosen, new PrintWriter(System.out, true, StandardCharsets.UTF_8)) ? 0 : 1;
    }

    /** Returns whether all scenarios met their targets. */
    private boolean run(List<Scenario> scenarios, PrintWriter out) {
        boolean met = true;
        try (BenchEnvironment environment = new BenchEnvironment(startBroker())) {
            String title = environment.broker().title();
            BenchReport report = new BenchReport(title);
            out.println(title);
            for (Scenario scenario : scenarios) {
                if (options.shakedown && scenario.measures(Subject.NAIVE)) {
                    out.println(scenario.name() + ", not measured: warm-up of broker and target");
                    scenario.measure(environment, Subject.NAIVE, 0, options);
                }
                for (int round = 1; round <= scenario.rounds(options); round++) {
                    for (Subject subject : options.subjects) {
                        if (scenario.measures(subject)) {
                            out.println(scenario.name() + ", round " + round + ": " + subject.label());
                            report.add(scenario.name(), scenario.measure(environment, subject, round, options));
                        }
                    }
                }
                report.print(scenario.name(), out);
                report.setCharts(scenario.name(), scenario.charts(report.measurementsOf(scenario.name())));
                met &= scenario.checkTargets(report.measurementsOf(scenario.name()), out);
                report.writeJson(options.json);
                report.writeHtml(options.html);
            }
        }
        out.println("\nwritten to " + options.json + " and " + options.html);
        return met;
    }

    private BenchBroker startBroker() {
        return switch (options.transport) {
            case KAFKA -> new KafkaBenchBroker(options.partitions, options.linger);
            case RABBIT -> new RabbitBenchBroker(options.queueType);
        };
    }

    private static Map<String, Scenario> scenarios(Scenario... all) {
        Map<String, Scenario> byName = new LinkedHashMap<>();
        for (Scenario one : all) {
            byName.put(one.name(), one);
        }
        return byName;
    }
}
