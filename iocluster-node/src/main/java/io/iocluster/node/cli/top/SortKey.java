package io.iocluster.node.cli.top;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** What the destinations and apps are sorted by, largest first except for names. */
enum SortKey {
    NAME('n', "name", Comparator.comparing(DestinationRow::name)),
    IN_FLIGHT(
            'i', "in flight", Comparator.comparingLong(DestinationRow::inFlight).reversed()),
    WAITING('w', "waiting", Comparator.comparingLong(DestinationRow::waiting).reversed()),
    ATTEMPTS(
            'a',
            "attempts",
            Comparator.comparingDouble(DestinationRow::attemptRate).reversed()),
    ERRORS('e', "errors", Comparator.comparingDouble(DestinationRow::errorRate).reversed()),
    LATENCY(
            'l',
            "latency",
            Comparator.comparingDouble(DestinationRow::p99Millis).reversed());

    private final char key;
    private final String title;
    private final Comparator<DestinationRow> order;

    SortKey(char key, String title, Comparator<DestinationRow> order) {
        this.key = key;
        this.title = title;
        this.order = order.thenComparing(DestinationRow::name);
    }

    /** Returns the order that a key of the keyboard selects. */
    static Optional<SortKey> of(int pressed) {
        return Arrays.stream(values()).filter(each -> each.key == pressed).findFirst();
    }

    /** Returns the keys and what they sort by, with the current one in brackets, for the last line of the screen. */
    static String help(SortKey current) {
        StringBuilder help = new StringBuilder("q quit  sort:");
        Arrays.stream(values())
                .forEach(each -> help.append(' ')
                        .append(each == current ? "[" : "")
                        .append(each.key)
                        .append(' ')
                        .append(each.title)
                        .append(each == current ? "]" : ""));
        return help.toString();
    }

    Comparator<DestinationRow> order() {
        return order;
    }
}
