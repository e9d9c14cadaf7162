package io.iocluster.node.chaos;

import io.iocluster.node.chaos.broker.ChaosTransport;
import io.iocluster.testkit.chaos.ChaosPlanner;
import io.iocluster.testkit.chaos.ChaosProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The program behind {@code bin/chaos}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = "Runs a schedule of faults against two nodes and checks the result of every call.")
public final class ChaosMain implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "SEED",
            arity = "0..1",
            defaultValue = "1",
            description = "Seed of the schedule.")
    private long seed;

    @Parameters(
            index = "1",
            paramLabel = "MINUTES",
            arity = "0..1",
            defaultValue = "0",
            description = "Continues with the next seeds for this time. 0: runs only SEED.")
    private int minutes;

    @Option(
            names = "--transport",
            defaultValue = "kafka",
            converter = Transports.class,
            description = "kafka, kafka-cluster, rabbit or rabbit-cluster; kafka if absent.")
    private ChaosTransport transport;

    @Option(
            names = "--seeds",
            paramLabel = "FROM-TO",
            converter = SeedRanges.class,
            description = "Runs these seeds instead of SEED.")
    private SeedRange seeds;

    @Option(names = "--quick", description = "Runs the shorter schedules of the test suite.")
    private boolean quick;

    private ChaosMain() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new ChaosMain()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        Path logs = Path.of(
                "target",
                "chaos",
                transport.label() + "-" + ProcessHandle.current().pid());
        long end = System.nanoTime() + minutes * 60_000_000_000L;
        List<ChaosReport> bad = new ArrayList<>();
        try (ChaosCluster cluster = new ChaosCluster(transport, logs)) {
            ChaosProfile profile =
                    quick ? ChaosProfile.quick(transport.kinds()) : ChaosProfile.thorough(transport.kinds());
            ChaosPlanner planner = new ChaosPlanner(profile);
            System.out.println(ChaosReport.HEADER);
            long first = seeds == null ? seed : seeds.from();
            long last = seeds == null ? seed : seeds.to();
            long next = first;
            do {
                ChaosReport report = cluster.run(planner.generate(next++));
                System.out.println(report.line());
                if (!report.isGood()) {
                    bad.add(report);
                    System.out.println(report.details(replayCommand(report)).indent(4));
                    cluster.renewNodes();
                }
            } while (next <= last || System.nanoTime() - end < 0);
            System.out.println(ChaosReport.summary(next - first, bad));
        }
        return bad.isEmpty() ? 0 : 1;
    }

    private String replayCommand(ChaosReport report) {
        return "bin/chaos " + report.plan().seed() + (quick ? " --quick" : "") + " --transport " + transport.label();
    }

    private record SeedRange(long from, long to) {}

    /** Parses two seeds. */
    private static final class SeedRanges implements ITypeConverter<SeedRange> {

        private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

        @Override
        public SeedRange convert(String text) {
            Matcher range = RANGE.matcher(text);
            if (!range.matches() || Long.parseLong(range.group(1)) > Long.parseLong(range.group(2))) {
                throw new TypeConversionException("\"" + text + "\" is not a range of seeds such as 1-200");
            }
            return new SeedRange(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)));
        }
    }

    /** Parses the transport argument. */
    private static final class Transports implements ITypeConverter<ChaosTransport> {

        @Override
        public ChaosTransport convert(String label) {
            try {
                return ChaosTransport.of(label);
            } catch (IllegalArgumentException unknown) {
                throw new TypeConversionException(unknown.getMessage());
            }
        }
    }
}
