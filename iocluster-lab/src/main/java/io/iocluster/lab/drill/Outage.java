package io.iocluster.lab.drill;

import io.iocluster.testkit.target.TargetFault;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Something that goes wrong, and what the headline must say about it.
 *
 * @param headline matches the kind, the subject and the text of the right headline, separated by bars
 */
record Outage(String name, Pattern headline, Step begin, Step end) {

    /** Begins or ends an outage. */
    interface Step {

        void run(DrillCluster cluster, DrillTraffic traffic) throws Exception;
    }

    private static final int SLOW_MILLIS = 3_000;
    private static final int TOO_FEW_SLOTS = 2;
    private static final int FLOOD_PER_SECOND = 3_000;

    static final List<Outage> ALL = List.of(
            outage(
                    "few-slots",
                    "^[^|]*\\|[^|]*\\|.*slots are taken",
                    (cluster, traffic) -> cluster.resize(TOO_FEW_SLOTS),
                    (cluster, traffic) -> cluster.resetSize()),
            target("slow-target", "^[^|]*\\|partner\\|.*(slow|calls take)", TargetFault.Kind.LATENCY, 200),
            outage(
                    "refused",
                    "^destination-failing\\|partner\\|.*connect-refused",
                    (cluster, traffic) -> cluster.target("partner").close(),
                    (cluster, traffic) -> cluster.startTarget("partner")),
            target("status-500", "^destination-failing\\|partner\\|.*status 500", TargetFault.Kind.STATUS, 500),
            outage(
                    "answers-deleted",
                    "\\|.*iocluster\\.answers",
                    (cluster, traffic) -> cluster.deleteAnswers(),
                    (cluster, traffic) -> cluster.createAnswers()),
            outage(
                    "broker-down",
                    "^broker-unreachable\\|",
                    (cluster, traffic) -> cluster.broker.kill(),
                    (cluster, traffic) -> cluster.broker.start()),
            target("hanging-target", "^destination-(failing|slow)\\|partner\\|", TargetFault.Kind.HANG, 200),
            outage(
                    "flood",
                    "^app-dominates\\|billing\\|",
                    (cluster, traffic) -> traffic.setFlood(FLOOD_PER_SECOND),
                    (cluster, traffic) -> traffic.setFlood(0)),
            outage(
                    "paused",
                    "^node-paused\\|",
                    (cluster, traffic) -> cluster.pause(true),
                    (cluster, traffic) -> cluster.pause(false)));

    private static Outage outage(String name, String headline, Step begin, Step end) {
        return new Outage(name, Pattern.compile(headline), begin, end);
    }

    private static Outage target(String name, String headline, TargetFault.Kind kind, int status) {
        return outage(
                name,
                headline,
                (cluster, traffic) ->
                        cluster.target("partner").setFault(new TargetFault(kind, SLOW_MILLIS, status, 100)),
                (cluster, traffic) -> cluster.target("partner").clearFault());
    }

    /** Returns an outage that is both at once. Either headline is right. */
    Outage and(Outage other) {
        return new Outage(
                name + "+" + other.name,
                Pattern.compile(headline.pattern() + "|" + other.headline.pattern()),
                (cluster, traffic) -> {
                    begin.run(cluster, traffic);
                    other.begin.run(cluster, traffic);
                },
                (cluster, traffic) -> {
                    end.run(cluster, traffic);
                    other.end.run(cluster, traffic);
                });
    }

    /** Returns the outage with this name, or that of two names with a plus between them. */
    static Outage of(String name) {
        int plus = name.indexOf('+');
        if (plus > 0) {
            return of(name.substring(0, plus)).and(of(name.substring(plus + 1)));
        }
        return ALL.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such outage: " + name + "; known are "
                        + ALL.stream().map(Outage::name).toList()));
    }
}
