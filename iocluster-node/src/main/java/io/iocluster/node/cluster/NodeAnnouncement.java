package io.iocluster.node.cluster;

import io.iocluster.node.config.ClusterSettings;
import io.iocluster.node.tuning.Observation;
import io.iocluster.node.tuning.SaturatedDestination;
import io.iocluster.status.StatusField;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a node announces about itself. The components are the fields of the record on the broker; {@link StatusField} says which of them
 * {@code /api/cluster} shows, and how. Immutable. The constructors bound
 * lists and texts, and refuse values that no node sends, because anyone may have written the record.
 *
 * @param v version of the format
 * @param leaving whether the node stops, and this is its last record
 * @param intervalMillis time until its next record; 0 if unknown
 * @param clockMillis the node's wall clock, in milliseconds since the epoch; 0 if unknown
 * @param lease null in the record of an older version, and in the last record of a node
 */
record NodeAnnouncement(
        int v,
        @StatusField(inline = true) Identity id,
        boolean leaving,
        long intervalMillis,
        long clockMillis,
        @StatusField(doc = "as in `/api/status`") String state,
        @StatusField(inline = true) Load load,
        @StatusField(doc = "messages answered a second") double callsPerSecond,

        @StatusField(
                nullable = true,
                doc = "share of the attempts of the last 10 to 20 seconds that were errors, 0 to 1; null if none ended")
        Double errorShare,

        @StatusField(inline = true) Lags lags,
        @StatusField(doc = "the busiest ones") List<DestinationLoad> destinations,
        @StatusField(doc = "the most urgent ones") List<NodeProblem> problems,
        @StatusField(doc = "its own, as in `/api/tuning`") String verdict,
        @StatusField String reason,
        @StatusField(inline = true) Apps apps,
        Lease lease) {

    static final int VERSION = 1;

    private static final int MAX_LAGS = 20;
    static final int MAX_DESTINATIONS = 10;
    static final int MAX_APPS = 10;
    private static final int MAX_PROBLEMS = 5;
    private static final int MAX_SATURATED = 3;
    private static final int MAX_NAME = 256;
    private static final int MAX_TEXT = 400;
    private static final int MAX_SHORT = 64;
    private static final long MAX_INTERVAL_MILLIS = ClusterSettings.MAX_INTERVAL.toMillis();

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{0,64}");
    private static final Pattern WORD = Pattern.compile("[a-z-]{0,40}");

    NodeAnnouncement {
        require(id != null, "id");
        require(intervalMillis >= 0 && intervalMillis <= MAX_INTERVAL_MILLIS, "intervalMillis");
        requireNumber(clockMillis, "clockMillis");
        state = word(state, "state");
        load = load == null ? Load.NONE : load;
        requireNumber(callsPerSecond, "callsPerSecond");
        requireRatio(errorShare, "errorShare");
        lags = lags == null ? Lags.NONE : lags;
        destinations = firstOf(destinations, MAX_DESTINATIONS);
        problems = firstOf(problems, MAX_PROBLEMS);
        verdict = word(verdict, "verdict");
        reason = CleanText.of(reason, MAX_TEXT);
        apps = apps == null ? Apps.NONE : apps;
    }

    /** Returns the last record of a node. */
    static NodeAnnouncement leaving(Identity id) {
        return new NodeAnnouncement(
                VERSION, id, true, 0, 0, null, null, 0, null, null, List.of(), List.of(), null, null, null, null);
    }

    /**
     * Returns what the record says about the share of its node.
     *
     * @param ownIntervalMillis this node's interval, which applies if the record is of an older version and has a shorter one
     */
    Heartbeat heartbeat(long ownIntervalMillis) {
        Lease known = lease != null ? lease : Lease.ofOlderVersion(Math.max(intervalMillis, ownIntervalMillis));
        return new Heartbeat(id.node(), id.instance(), known);
    }

    /** Returns a smaller record, with half of the entries of each list. */
    NodeAnnouncement smaller() {
        return new NodeAnnouncement(
                v,
                id,
                leaving,
                intervalMillis,
                clockMillis,
                state,
                load.withSaturated(load.saturated().size() / 2),
                callsPerSecond,
                errorShare,
                lags.withLargest(lags.largest().size() / 2),
                firstOf(destinations, destinations.size() / 2),
                firstOf(problems, problems.size() / 2),
                verdict,
                reason,
                apps.withBusiest(apps.busiest().size() / 2),
                lease);
    }

    /**
     * The identity of a node.
     *
     * @param instance identifies the process: 16 hexadecimal digits, chosen at random when it starts
     */
    record Identity(
            @StatusField(doc = "its `node.id`") String node,
            String instance,
            @StatusField(doc = "name of its machine") String host,

            @StatusField(doc = "host and port of its admin server")
            String admin,

            @StatusField String version,
            @StatusField(doc = "hash of its configuration") String configuration,
            @StatusField String transport,
            long uptimeMillis) {

        Identity {
            Heartbeat.requireIds(node, instance);
            host = CleanText.of(host, MAX_NAME);
            admin = CleanText.of(admin, MAX_NAME);
            version = CleanText.of(version, MAX_SHORT);
            configuration = configuration == null ? "" : configuration;
            require(HASH.matcher(configuration).matches(), "configuration");
            transport = word(transport, "transport");
            requireNumber(uptimeMillis, "uptimeMillis");
        }

        @StatusField
        long uptimeSeconds() {
            return uptimeMillis / 1_000;
        }
    }

    /**
     * The load of a node, like {@link Observation}.
     *
     * @param lag messages that are not settled and that no other node holds; null if unknown
     * @param lagIsShared whether the lag is that of a queue which all nodes read
     * @param stopReason null if the node reads
     * @param bottleneck null if there is none
     */
    record Load(
            @StatusField int inFlight,
            @StatusField(name = "inFlightLimit") int slots,
            @StatusField int threads,
            @StatusField int waiting,
            @StatusField int unconfirmed,
            long acknowledged,

            @StatusField(nullable = true, doc = "share of all cores, 0 to 1; null if unknown")
            Double cpu,

            Double workerCpu,
            Long lag,
            boolean lagIsShared,
            boolean shareLimited,
            String stopReason,
            String bottleneck,
            List<Saturated> saturated) {

        static final Load NONE = new Load(0, 0, 0, 0, 0, 0, null, null, null, false, false, null, null, List.of());

        Load {
            requireNumber(inFlight, "inFlight");
            requireNumber(slots, "slots");
            requireNumber(threads, "threads");
            requireNumber(waiting, "waiting");
            requireNumber(unconfirmed, "unconfirmed");
            requireNumber(acknowledged, "acknowledged");
            requireRatio(cpu, "cpu");
            requireRatio(workerCpu, "workerCpu");
            requireNumber(lag == null ? 0 : lag, "lag");
            stopReason = stopReason == null ? null : CleanText.of(stopReason, MAX_TEXT);
            bottleneck = bottleneck == null ? null : CleanText.of(bottleneck, MAX_TEXT);
            saturated = firstOf(saturated, MAX_SATURATED);
        }

        Load withSaturated(int max) {
            return new Load(
                    inFlight,
                    slots,
                    threads,
                    waiting,
                    unconfirmed,
                    acknowledged,
                    cpu,
                    workerCpu,
                    lag,
                    lagIsShared,
                    shareLimited,
                    stopReason,
                    bottleneck,
                    firstOf(saturated, max));
        }

        Observation observation(long nanos) {
            return new Observation(
                    1,
                    nanos,
                    stopReason,
                    lag,
                    acknowledged,
                    0,
                    inFlight,
                    waiting,
                    unconfirmed,
                    slots,
                    threads,
                    cpu == null ? Double.NaN : cpu,
                    workerCpu == null ? Double.NaN : workerCpu,
                    bottleneck,
                    shareLimited,
                    saturated.stream()
                            .map(each -> new SaturatedDestination(each.destination(), each.reason(), each.calls()))
                            .toList());
        }
    }

    /** A destination that accepts no more calls. */
    record Saturated(String destination, String reason, int calls) {

        Saturated {
            destination = CleanText.of(destination, MAX_NAME);
            reason = CleanText.of(reason, MAX_TEXT);
            requireNumber(calls, "calls");
        }
    }

    /** The lag of what a node reads. */
    record Lags(
            @StatusField(name = "lag", nullable = true, doc = "unsettled messages of what it reads; null if unknown")
            Long total,

            long oldestAgeMillis,

            @StatusField(name = "lags", doc = "the queues or partitions with the largest lag")
            List<QueueLag> largest,

            @StatusField(name = "moreLags", doc = "queues or partitions that are left out")
            int more) {

        static final Lags NONE = new Lags(null, 0, List.of(), 0);

        Lags {
            requireNumber(total == null ? 0 : total, "total");
            requireNumber(oldestAgeMillis, "oldestAgeMillis");
            requireNumber(more, "more");
            int given = largest == null ? 0 : largest.size();
            largest = firstOf(largest, MAX_LAGS);
            more = Math.addExact(more, given - largest.size());
        }

        @StatusField(name = "oldestAgeMillis", nullable = true, doc = "age of the oldest of them; null if unknown")
        Long oldestAge() {
            return total == null ? null : (Long) oldestAgeMillis;
        }

        Lags withLargest(int max) {
            return new Lags(total, oldestAgeMillis, firstOf(largest, max), more + largest.size() - max);
        }
    }

    /** The lag of one queue or partition. */
    record QueueLag(
            @StatusField String queue,

            @StatusField(nullable = true, doc = "null for a queue")
            Integer partition,

            @StatusField(doc = "unsettled messages") long messages,
            @StatusField long oldestAgeMillis,

            @StatusField(doc = "whether these are older figures")
            boolean stale) {

        QueueLag {
            queue = CleanText.of(queue, MAX_NAME);
            requireNumber(partition == null ? 0 : partition, "partition");
            requireNumber(messages, "messages");
            requireNumber(oldestAgeMillis, "oldestAgeMillis");
        }
    }

    /** A destination of a node. */
    record DestinationLoad(
            @StatusField String name,
            @StatusField int inFlight,

            @StatusField(name = "inFlightLimit", doc = "0 if only its share of the slots limits it")
            int limit,

            @StatusField int waiting,

            @StatusField(doc = "in the last 10 to 20 seconds")
            double attemptsPerSecond,

            @StatusField(nullable = true, doc = "share of these attempts that were errors, 0 to 1; null if none ended")
            Double errorShare,

            @StatusField String breaker) {

        DestinationLoad {
            name = CleanText.of(name, MAX_NAME);
            requireNumber(inFlight, "inFlight");
            requireNumber(limit, "limit");
            requireNumber(waiting, "waiting");
            requireNumber(attemptsPerSecond, "attemptsPerSecond");
            requireRatio(errorShare, "errorShare");
            breaker = word(breaker, "breaker");
        }
    }

    /**
     * The apps that send calls. A record of an earlier version has none.
     *
     * @param callsPerSecond ended calls of all apps
     * @param busiest those with the most calls, waiting ones included
     */
    record Apps(
            double callsPerSecond,

            @StatusField(name = "apps", doc = "the busiest apps that send calls to the node")
            List<AppLoad> busiest,

            @StatusField(name = "moreApps", doc = "apps that are left out")
            int more) {

        static final Apps NONE = new Apps(0, List.of(), 0);

        Apps {
            requireNumber(callsPerSecond, "callsPerSecond");
            requireNumber(more, "more");
            int given = busiest == null ? 0 : busiest.size();
            busiest = firstOf(busiest, MAX_APPS);
            more = Math.addExact(more, given - busiest.size());
        }

        Apps withBusiest(int max) {
            return new Apps(callsPerSecond, firstOf(busiest, max), more + busiest.size() - max);
        }
    }

    /** An app of a node. */
    record AppLoad(
            @StatusField String name,
            @StatusField(doc = CALLS_PER_SECOND) double callsPerSecond,
            @StatusField(doc = OVER_QUOTA_PER_SECOND) double overQuotaPerSecond,
            @StatusField int inFlight,
            @StatusField(doc = WAITING) int waiting) {

        static final String CALLS_PER_SECOND = "ended calls, a moving average of about ten seconds";
        static final String OVER_QUOTA_PER_SECOND = "the part of them that failed because the app was over its quota";
        static final String WAITING = "calls that wait for the quota";

        AppLoad {
            name = CleanText.of(name, MAX_SHORT);
            requireNumber(callsPerSecond, "callsPerSecond");
            requireNumber(overQuotaPerSecond, "overQuotaPerSecond");
            requireNumber(inFlight, "inFlight");
            requireNumber(waiting, "waiting");
        }
    }

    /** Something that is wrong with a node. */
    record NodeProblem(
            @StatusField String kind,
            boolean bad,

            @StatusField(doc = "what it is about; may be empty")
            String subject,

            @StatusField String text,
            @StatusField(doc = "what to do next") String action) {

        NodeProblem {
            kind = word(kind, "kind");
            subject = CleanText.of(subject, MAX_NAME);
            text = CleanText.of(text, MAX_TEXT);
            action = CleanText.of(action, MAX_TEXT);
        }

        @StatusField(values = {"bad", "warn"})
        String severity() {
            return ClusterProblem.severity(bad);
        }
    }

    private static <T> List<T> firstOf(List<T> list, int max) {
        return list == null ? List.of() : List.copyOf(list.subList(0, Math.min(list.size(), max)));
    }

    private static String word(String text, String field) {
        String word = text == null ? "" : text;
        require(WORD.matcher(word).matches(), field);
        return word;
    }

    /** Refuses negative, infinite and unreasonably large numbers, whose sums would overflow. */
    private static void requireNumber(double number, String field) {
        require(number >= 0 && number <= 1e15, field);
    }

    private static void requireRatio(Double ratio, String field) {
        require(ratio == null || (ratio >= 0 && ratio <= 1), field);
    }

    private static void require(boolean valid, String field) {
        if (!valid) {
            throw new IllegalArgumentException(field + " is not valid");
        }
    }
}
