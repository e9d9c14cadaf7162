package io.iocluster.lab.drill;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Plays outages one after the other against a small cluster, and prints for each how long the console needs to name it, how often its
 * headline changes, and how long it needs to say that it is over.
 */
public final class Drill {

    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final Duration RECOVERY = Duration.ofSeconds(90);
    private static final Duration BEFORE = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 500;
    private static final List<String> NOTHING_TO_DO = List.of("hold", "source-empty");

    private final DrillCluster cluster;
    private final DrillTraffic traffic;
    private final boolean verbose;

    private Drill(DrillCluster cluster, DrillTraffic traffic, boolean verbose) {
        this.cluster = cluster;
        this.traffic = traffic;
        this.verbose = verbose;
    }

    /** Plays the outages whose names are given, else all. With {@code -v}, prints each headline. */
    public static void main(String[] args) throws Exception {
        boolean verbose = Arrays.asList(args).contains("-v");
        List<String> names =
                Arrays.stream(args).filter(arg -> !arg.startsWith("-")).toList();
        List<Outage> outages =
                names.isEmpty() ? Outage.ALL : names.stream().map(Outage::of).toList();
        System.err.println("starting a broker, two nodes and three targets…");
        try (DrillCluster cluster = new DrillCluster();
                DrillTraffic traffic = new DrillTraffic(cluster)) {
            Drill drill = new Drill(cluster, traffic, verbose);
            drill.awaitQuiet(Duration.ofMinutes(3));
            Thread.sleep(BEFORE.toMillis());
            System.out.printf("%-28s %10s %10s %10s%n", "outage", "named", "changes", "over");
            for (Outage outage : outages) {
                drill.play(outage);
            }
        }
    }

    private void play(Outage outage) throws Exception {
        long start = System.nanoTime();
        outage.begin().run(cluster, traffic);
        Duration named = null;
        int changes = 0;
        String before = "";
        while (elapsed(start).compareTo(OUTAGE) < 0) {
            String headline = headline();
            if (named == null && outage.headline().matcher(headline).find()) {
                named = elapsed(start);
            }
            if (!cause(headline).equals(before)) {
                changes++;
                before = cause(headline);
                print(start, headline);
            }
            Thread.sleep(POLL_MILLIS);
        }
        outage.end().run(cluster, traffic);
        Duration over = awaitQuiet(RECOVERY);
        System.out.printf(Locale.ROOT, "%-28s %10s %10d %10s%n", outage.name(), seconds(named), changes, seconds(over));
        // The next outage finds the cluster as it usually is.
        Thread.sleep(BEFORE.toMillis() / 2);
    }

    /** Waits until the headline names nothing, and returns how long that took; null if it did not happen in time. */
    private Duration awaitQuiet(Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        String before = "";
        while (elapsed(start).compareTo(timeout) < 0) {
            String headline = headline();
            if (headline.isEmpty()) {
                return elapsed(start);
            }
            if (!cause(headline).equals(before)) {
                before = cause(headline);
                print(start, "(end) " + headline);
            }
            Thread.sleep(POLL_MILLIS);
        }
        return null;
    }

    private void print(long start, String headline) {
        if (verbose) {
            System.out.printf(Locale.ROOT, "  %6s %s%n", seconds(elapsed(start)), headline);
        }
    }

    /** Returns what the console shows first, as the kind, the subject and the text; empty if nothing is wrong. */
    private String headline() throws InterruptedException {
        JsonNode report;
        try {
            report = cluster.report();
        } catch (IOException unreachable) {
            return "no-answer||" + unreachable.getMessage();
        }
        JsonNode first = report.path("problems").path(0);
        if (first.isObject()) {
            return text(first, "kind") + "|" + text(first, "subject") + "|" + text(first, "text");
        }
        JsonNode advice = report.path("advice");
        return !advice.isObject() || NOTHING_TO_DO.contains(text(advice, "verdict"))
                ? ""
                : "advice|" + text(advice, "verdict") + "|" + text(advice, "reason");
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("");
    }

    /** Returns the headline without its text, whose figures change. */
    private static String cause(String headline) {
        return headline.isEmpty() ? "" : headline.substring(0, headline.indexOf('|', headline.indexOf('|') + 1));
    }

    private static Duration elapsed(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static String seconds(Duration duration) {
        return duration == null ? "never" : String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
}
