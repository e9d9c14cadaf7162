package io.iocluster.simulation.defect;

import io.iocluster.simulation.BrokerKind;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.defect.DefectiveSink.Kind;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The defects that can be planted, each by itself. */
public enum PlantedDefect {
    SETTLES_BEFORE_CONFIRM(
            "settles a message when its answer is published, before the confirm", SinkDefects::settlesBeforeConfirm),
    SETTLES_WHEN_READ("settles a message when it is read", SourceDefects::settlesWhenRead),
    ACKNOWLEDGES_RELEASED("acknowledges a message that the node gives back", SourceDefects::acknowledgesReleased),
    FORGETS_ACKNOWLEDGEMENT(
            "forgets one acknowledgement in 50", () -> SourceDefects.forgetsAcknowledgements(new Every(50))),
    SETTLES_TWICE("settles one message in 50 twice", () -> SourceDefects.settlesTwice(new Every(50))),
    RELEASES_ANSWERED("gives one answered message in 50 back", () -> SourceDefects.releasesAnswered(new Every(50))),
    DROPS_MESSAGE("drops one message in 50", () -> SourceDefects.dropsMessages(new Every(50))),
    OFFERS_TWICE("offers one message in 50 twice", () -> SourceDefects.offersTwice(new Every(50))),
    FORGETS_REFUSED("forgets a message that the node refused for lack of room", SourceDefects::forgetsRefused),
    IGNORES_CAPACITY("does not hear that there is room again", SourceDefects::ignoresCapacity),
    IGNORES_PAUSE("reads on when an operator pauses the node", SourceDefects::ignoresPause),
    IGNORES_RESUME("reads nothing when an operator resumes the node", SourceDefects::ignoresResume),
    READS_DURING_DRAIN("reads on when the node drains", SourceDefects::readsDuringDrain),
    FORGETS_APP("does not know the app of a message", SourceDefects::forgetsApp),
    AGES_MESSAGES("takes a message for 400 ms older than it is", () -> SourceDefects.agesMessages(400)),
    FORGETS_TIMESTAMP("counts the deadline from when the message was read", SourceDefects::forgetsTimestamps),
    FORGETS_DELAYED_STATE("takes a delayed retry for a new call", SourceDefects::forgetsDelayedState),
    ONE_ATTEMPT_TOO_MANY(
            "makes one attempt more than the envelope allows",
            () -> SourceDefects.changesEnvelopes("\"maxAttempts\":[1-4]", "\"maxAttempts\":5")),
    IGNORES_REPLY_MODE(
            "answers calls that want no answer", () -> SourceDefects.changesEnvelopes(",\"reply\":\"[a-z]*\"", "")),
    IGNORES_TIMEOUT_OF_ENVELOPE("ignores timeoutMs", () -> SourceDefects.changesEnvelopes(",\"timeoutMs\":[0-9]*", "")),
    REPEATS_NOT_REPEATABLE(
            "retries a POST without an idempotency key",
            () -> SourceDefects.changesEnvelopes("\"body\":\"x\"", "\"body\":\"x\",\"idempotencyKey\":\"k\"")),
    IGNORES_FAILED_PUBLISH("takes a failed publish for a confirm", SinkDefects::ignoresFailures),
    PUBLISHES_TWICE("publishes one message in 50 twice", () -> SinkDefects.publishesTwice(new Every(50))),
    LOSES_ANSWER("loses one answer in 50", () -> SinkDefects.loses(Kind.ANSWER, new Every(50))),
    LOSES_DEAD_LETTER("loses every dead letter", () -> SinkDefects.loses(Kind.DEAD_LETTER, new Every(1))),
    LOSES_DELAYED_RETRY("loses one delayed retry in five", () -> SinkDefects.loses(Kind.DELAYED_RETRY, new Every(5))),
    LOSES_CONFIRM("never completes one publish in 50", () -> SinkDefects.losesConfirms(new Every(50))),
    MIXES_UP_CONFIRMS("takes a confirm for that of the publish before", SinkDefects::mixesUpConfirms),
    MIXES_UP_ANSWERS("publishes one answer in 50 for another call", () -> SinkDefects.mixesUpAnswers(new Every(50))),
    IGNORES_REPLY_TO("publishes every answer to the default queue", SinkDefects::ignoresReplyTo),
    COUNTS_FEWER_ATTEMPTS("does not count the last of several attempts", SinkDefects::countsFewerAttempts),
    CLAIMS_NOT_SENT("says sent: no in each answer", SinkDefects::claimsNotSent),
    DROPS_CONTEXT("drops the context", SinkDefects::dropsContext),
    DROPS_RESULT("drops the last result of several calls", SinkDefects::dropsResults),
    SWAPS_RESULTS("puts the results of several calls in the wrong order", SinkDefects::swapsResults),
    CHANGES_STATUS("answers 200 for every 5xx", SinkDefects::changesStatus),
    CUTS_BODY("loses the last byte of a body", SinkDefects::cutsBodies),
    DELAYED_FORGETS_ATTEMPTS("forgets the attempts of a delayed retry", SinkDefects::forgetsAttemptsOfDelayed),
    DELAYED_FORGETS_SENT("forgets that the target may have seen a delayed retry", SinkDefects::forgetsSentOfDelayed),
    DELAYED_FORGETS_DEADLINE("forgets the deadline of a delayed retry", SinkDefects::forgetsDeadlineOfDelayed),
    DELAYED_STARTS_EARLY("starts a delayed retry 1.5 s before it is due", SinkDefects::startsDelayedEarly),
    STRETCHES_TIMEOUT("waits four times the timeout", HttpDefects::stretchesTimeouts),
    IGNORES_CANCEL("does not close the connection of a cancelled attempt", HttpDefects::ignoresCancels),
    REPEATS_POST("sends one POST in 20 twice within an attempt", () -> HttpDefects.repeatsPosts(new Every(20))),
    LOSES_RESULT("loses the result of one attempt in 50", () -> HttpDefects.losesResults(new Every(50))),
    THROWS("throws in one attempt in 50", () -> HttpDefects.fails(new Every(50))),
    CLAIMS_NOTHING_SENT("takes every failed attempt for one that was not sent", HttpDefects::claimsNothingSent),
    DROPS_RETRY_AFTER("does not see Retry-After", HttpDefects::dropsHeaders),
    MIXES_UP_RESPONSES(
            "takes one response in 50 for that of another call", () -> HttpDefects.mixesUpResponses(new Every(50))),
    LOSES_TIMER("never fires one timer in 200", () -> PlatformDefects.losesTimers(new Every(200))),
    FIRES_TIMERS_EARLY("fires timers after half of their time", () -> PlatformDefects.firesTimersAfter(0.5)),
    FIRES_TIMERS_LATE("fires timers after twice their time", () -> PlatformDefects.firesTimersAfter(2)),
    LOSES_TASK("loses one task in 100 of an event loop", () -> PlatformDefects.runsTasks(0, new Every(100))),
    LOSES_WAKE_UP("loses every second wake-up", () -> PlatformDefects.losesWakeUps(new Every(2))),
    ONE_SLOT_TOO_MANY("counts one slot too few of the node", SettingsDefects::grantsOneSlotTooMany),
    ONE_SLOT_TOO_MANY_OF_DESTINATION(
            "counts one slot too few of a destination", SettingsDefects::grantsOneSlotTooManyOfDestination),
    EXCEEDS_RATE("starts attempts at one and a half times the rate", SettingsDefects::exceedsRate),
    EXCEEDS_QUOTA("ignores the quota of an app", SettingsDefects::exceedsQuota),
    KEEPS_RESPONSES("uses cached responses after they expire", SettingsDefects::keepsResponsesTooLong),
    SHARES_RESPONSES("uses a cached response for another app", SettingsDefects::sharesResponsesBetweenApps),
    IGNORES_SHARE("uses the whole of a limit that the nodes divide", SettingsDefects::ignoresShare),
    RELEASES_SLOT_TWICE(
            "releases the slot of one attempt in 50 twice", () -> CoreDefects.releasesSlotsTwice(new Every(50))),
    LOSES_SLOT_AFTER_CANCEL("loses the slot of each cancelled attempt", CoreDefects::losesSlotsAfterCancel),
    RELEASES_SLOT_OF_DESTINATION_TWICE(
            "releases the slot of one attempt in 20 at its destination twice",
            () -> CoreDefects.releasesSlotsOfDestinationTwice(new Every(20))),
    LOSES_SLOT_OF_DESTINATION_AFTER_CANCEL(
            "loses the slot of each cancelled attempt at its destination",
            CoreDefects::losesSlotsOfDestinationAfterCancel),
    FORGETS_WAITING_CALLS(
            "forgets that calls wait for a destination after one attempt in 20",
            () -> CoreDefects.forgetsWaitingCalls(new Every(20))),
    LEAVES_EARLY("tells the others that it leaves when its drain begins", SettingsDefects::leavesEarly),
    CONFIRM_TAKEN_FOR_FAILURE(
            "takes one confirm in 50 for a failure, as if it came after its timeout",
            () -> SinkDefects.takesConfirmsForFailures(new Every(50))),
    LOSES_CAPACITY_SIGNAL(
            "loses every second signal that there is room again", () -> SourceDefects.losesCapacity(new Every(2))),
    LOSES_PAUSE("loses every second pause of an operator", () -> SourceDefects.losesPauses(new Every(2))),
    SETTLES_ANOTHER(
            "settles the message before instead of one in 50, as if two threads shared it",
            () -> SourceDefects.settlesAnother(new Every(50))),
    LOSES_CANCEL(
            "keeps the connection of one cancelled attempt in five, as if the response came at the same time",
            () -> HttpDefects.losesCancels(new Every(5))),
    ANSWERS_BEFORE_RESULT(
            "ends one attempt in 50 as refused although it was sent, as if a reset came before the response",
            () -> HttpDefects.endsAsRefused(new Every(50))),
    IGNORES_RETRY_AFTER("pauses a destination for 1 ms only", SettingsDefects::ignoresRetryAfter),
    RABBIT_ACKNOWLEDGES_OPEN(
            "acknowledges all messages up to the settled one (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::acknowledgesOpenMessages),
    RABBIT_ACKNOWLEDGES_ON_NEXT_CHANNEL(
            "acknowledges a tag of a closed channel on the next one (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::acknowledgesOnNextChannel),
    RABBIT_FORGETS_REDELIVERED(
            "drops redelivered messages, as if it still had them (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::forgetsRedelivered),
    RABBIT_IGNORES_CANCEL(
            "does not consume again when the broker cancels its consumer (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::ignoresCancel),
    RABBIT_IGNORES_REFUSAL(
            "takes a nack for a confirm (RabbitMQ)", BrokerKind.RABBIT::equals, RabbitDefects::ignoresRefusals),
    RABBIT_IGNORES_RETURN(
            "does not see returned messages (RabbitMQ)", BrokerKind.RABBIT::equals, RabbitDefects::ignoresReturns),
    RABBIT_IGNORES_MULTIPLE(
            "takes a confirm of several messages for one of the last (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::ignoresMultipleConfirms),
    RABBIT_CONFIRMS_ALL_BEFORE(
            "takes each confirm for one of all earlier messages (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::confirmsAllBefore),
    RABBIT_FORGETS_UNCONFIRMED(
            "takes the unconfirmed messages of a lost channel for confirmed (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::forgetsUnconfirmed),
    RABBIT_PUBLISHES_TRANSIENT(
            "publishes messages that a crash of the broker loses (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::publishesTransient),
    RABBIT_IGNORES_UNBLOCKED(
            "stays blocked after an alarm has ended (RabbitMQ)",
            BrokerKind.RABBIT::equals,
            RabbitDefects::ignoresUnblocked),
    COMMITS_PAST_OPEN_RECORDS(
            "commits the offset that it has read to", BrokerKind::isKafka, ConsumerDefects::commitsPositions),
    IGNORES_LEDGER(
            "does not read the ledger in the commit metadata", BrokerKind::isKafka, ConsumerDefects::ignoresLedger),
    DROPS_LAST_RECORD(
            "drops the last record of one batch in 20",
            BrokerKind::isKafka,
            () -> ConsumerDefects.dropsLastRecords(new Every(20))),
    FORGETS_REVOCATIONS(
            "does not hear that partitions are revoked or lost",
            BrokerKind::isKafka,
            ConsumerDefects::forgetsRevocations),
    FORGETS_KEYS("does not know the keys of records", BrokerKind::isKafka, ConsumerDefects::forgetsKeys),
    SKIPS_LAST_COMMIT(
            "does not commit when it stops or loses a partition",
            BrokerKind::isKafka,
            ConsumerDefects::skipsLastCommits),
    IGNORES_REFUSED_COMMIT(
            "takes a refused commit for a successful one", BrokerKind::isKafka, ConsumerDefects::ignoresRefusedCommits),
    REPEATS_FENCED_COMMIT(
            "repeats the commit of an ended generation in the next one",
            BrokerKind::isKafka,
            ConsumerDefects::repeatsFencedCommits),
    IGNORES_REWIND("does not read a released record again", BrokerKind::isKafka, ConsumerDefects::ignoresRewinds),
    IGNORES_REFUSED_RECORD(
            "takes a record that the broker refuses for a stored one",
            BrokerKind::isKafka,
            ProducerDefects::ignoresRefusals);

    private final String description;
    private final Predicate<BrokerKind> brokers;
    private final Supplier<Wiring> wiring;

    PlantedDefect(String description, Supplier<Wiring> wiring) {
        this(description, any -> true, wiring);
    }

    /** @param brokers those that show the defect */
    PlantedDefect(String description, Predicate<BrokerKind> brokers, Supplier<Wiring> wiring) {
        this.description = description;
        this.brokers = brokers;
        this.wiring = wiring;
    }

    /** Returns whether runs on this broker can show the defect. */
    public boolean concerns(BrokerKind kind) {
        return brokers.test(kind);
    }

    /** Returns what the defect does. */
    public String description() {
        return description;
    }

    /** Returns the wiring of the nodes of one run. */
    public Wiring wiring() {
        return wiring.get();
    }
}
