package io.iocluster.simulation.kafka;

import io.iocluster.simulation.kafka.ConsumerGroup.Assignment;
import io.iocluster.simulation.kafka.ConsumerGroup.Membership;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * The membership of one consumer in its group. Heartbeats come from the client's own thread, callbacks run within a poll. A consumer that
 * does not poll for {@code max.poll.interval.ms} leaves the group. Confined to the thread of the simulation.
 */
final class GroupMembership {

    /** Heartbeat interval of the consumer protocol, which a broker sets. */
    private static final Duration CONSUMER_HEARTBEAT = Duration.ofMillis(500);

    /** Session timeout of the consumer protocol, which a broker sets. */
    private static final Duration CONSUMER_SESSION = Duration.ofSeconds(10);

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private final KafkaBroker broker;
    private final SimulatedProcess process;
    private final BrokerLink link;
    private final ClientConfig config;
    private final String group;
    private final Owner owner;
    private final boolean classic;
    private final boolean eager;
    private final Duration heartbeatInterval;
    private final long maxPollNanos;
    private final Set<String> topics;
    private final ConsumerRebalanceListener listener;
    private String id;
    private int generation;
    private boolean joinNeeded = true;
    private boolean lost;
    private boolean leader;
    private boolean closed;
    private boolean heartbeatUnanswered;
    private CompletableFuture<Assignment> joining;
    private Set<TopicPartition> target;
    private Set<TopicPartition> owned = Set.of();
    private RuntimeException failure;
    private long lastPoll;

    /** The consumer, whose assignment follows the membership. */
    interface Owner {

        void assigned(Collection<TopicPartition> added);

        void revoked(Collection<TopicPartition> removed);

        /** Ends the wait of the poll, because something happened. */
        void wake();
    }

    GroupMembership(
            KafkaBroker broker,
            SimulatedProcess process,
            BrokerLink link,
            ClientConfig config,
            Set<String> topics,
            ConsumerRebalanceListener listener,
            Owner owner) {
        this.broker = broker;
        this.process = process;
        this.link = link;
        this.config = config;
        this.topics = topics;
        this.listener = listener;
        this.owner = owner;
        this.group = config.text("group.id", null);
        this.classic = !config.text("group.protocol", "classic").equalsIgnoreCase("consumer");
        this.eager =
                classic && !config.text("partition.assignment.strategy", "").contains("Cooperative");
        this.heartbeatInterval = classic ? config.millis("heartbeat.interval.ms", 3_000) : CONSUMER_HEARTBEAT;
        this.maxPollNanos = config.millis("max.poll.interval.ms", 300_000).toNanos();
        this.lastPoll = broker.nanos();
        newId();
        if (!classic && !broker.hasConsumerProtocol()) {
            failure = new UnsupportedVersionException("the broker does not support the consumer protocol");
        }
        process.after(heartbeatInterval, this::heartbeat);
    }

    String id() {
        return id;
    }

    int generation() {
        return generation;
    }

    /** Returns whether a commit must wait, because the group assigns partitions again. */
    boolean isJoining() {
        return joining != null;
    }

    private void newId() {
        id = "member-" + Long.toHexString(process.random().nextLong());
    }

    private Membership about() {
        Duration session = classic ? config.millis("session.timeout.ms", 45_000) : CONSUMER_SESSION;
        return new Membership(
                id, config.text("client.id", ""), topics, classic, eager, session.toNanos(), maxPollNanos);
    }

    private void heartbeat() {
        if (closed) {
            return;
        }
        process.after(heartbeatInterval, this::heartbeat);
        if (broker.nanos() - lastPoll > maxPollNanos) {
            if (!lost) {
                leave();
                lost = true;
            }
        } else if (!heartbeatUnanswered && failure == null) {
            sendHeartbeat();
        }
    }

    private void sendHeartbeat() {
        if (classic && (joinNeeded || joining != null)) {
            return;
        }
        heartbeatUnanswered = true;
        String memberId = id;
        int memberGeneration = generation;
        Membership about = about();
        Set<TopicPartition> holds = Set.copyOf(owned);
        CompletableFuture<Assignment> answer = link.call(
                () -> {
                    if (classic) {
                        broker.group(group).heartbeat(memberId, memberGeneration);
                        return null;
                    }
                    return broker.group(group).consumerHeartbeat(about, memberGeneration, holds);
                },
                heartbeatInterval);
        answer.whenComplete((assignment, problem) -> {
            heartbeatUnanswered = false;
            if (closed || !memberId.equals(id) || memberGeneration != generation && classic) {
                return;
            }
            if (problem instanceof RebalanceInProgressException) {
                joinNeeded = true;
            } else if (problem instanceof UnknownMemberIdException) {
                lost = true;
            } else if (problem == null && !classic) {
                generation = assignment.generation();
                target = assignment.partitions();
            }
            owner.wake();
        });
    }

    /** Makes the leader of the group ask for a new assignment, because a topic has more partitions than before. */
    void partitionsChanged() {
        if (classic && leader && !joinNeeded && joining == null) {
            joinNeeded = true;
            link.call(
                    () -> {
                        broker.group(group).rebalance();
                        return null;
                    },
                    REQUEST_TIMEOUT);
        }
    }

    /** Runs the callbacks that are due, and joins the group if necessary. Called by each poll. */
    void poll() {
        lastPoll = broker.nanos();
        if (failure != null) {
            throw failure;
        }
        if (lost) {
            lost = false;
            joining = null;
            loseAll();
            newId();
            generation = 0;
            target = null;
            joinNeeded = classic;
        }
        if (classic) {
            finishJoin();
            if (joinNeeded && joining == null) {
                join();
            }
        } else if (!heartbeatUnanswered && (target == null || reconcile())) {
            sendHeartbeat();
        }
    }

    private void loseAll() {
        Set<TopicPartition> before = owned;
        if (!before.isEmpty()) {
            if (listener != null) {
                listener.onPartitionsLost(before);
            }
            owned = Set.of();
            owner.revoked(before);
        }
    }

    private void join() {
        joinNeeded = false;
        if (eager) {
            revoke(owned);
        }
        Membership about = about();
        Set<TopicPartition> holds = Set.copyOf(owned);
        Duration timeout = Duration.ofNanos(maxPollNanos).plus(REQUEST_TIMEOUT);
        joining = link.callLater(() -> broker.group(group).join(about, holds), timeout);
        joining.whenComplete((assignment, problem) -> owner.wake());
    }

    private void finishJoin() {
        if (joining == null || !joining.isDone()) {
            return;
        }
        Assignment assignment;
        try {
            assignment = joining.join();
        } catch (CompletionException failed) {
            joining = null;
            joinNeeded = true;
            return;
        }
        joining = null;
        generation = assignment.generation();
        leader = assignment.leader();
        target = assignment.partitions();
        boolean revoked = reconcile();
        // Another member gets what was given up only after one more rebalance.
        joinNeeded |= revoked;
    }

    /** Gives up and takes over partitions, as assigned. Returns whether it gave up any, or took over any with the consumer protocol. */
    private boolean reconcile() {
        Set<TopicPartition> removed = new HashSet<>(owned);
        removed.removeAll(target);
        Set<TopicPartition> added = new HashSet<>(target);
        added.removeAll(owned);
        if (!removed.isEmpty()) {
            revoke(removed);
            if (!classic) {
                return true;
            }
        }
        if (!added.isEmpty() || classic) {
            Set<TopicPartition> now = new HashSet<>(owned);
            now.addAll(added);
            owned = now;
            owner.assigned(added);
            if (listener != null) {
                listener.onPartitionsAssigned(added);
            }
        }
        return !removed.isEmpty() || !classic && !added.isEmpty();
    }

    private void revoke(Set<TopicPartition> removed) {
        if (removed.isEmpty()) {
            return;
        }
        if (listener != null) {
            listener.onPartitionsRevoked(removed);
        }
        Set<TopicPartition> kept = new HashSet<>(owned);
        kept.removeAll(removed);
        owned = kept;
        owner.revoked(removed);
    }

    /** Ends the membership. */
    void close(boolean leaves, Duration timeout) {
        if (closed) {
            return;
        }
        closed = true;
        revoke(owned);
        if (leaves) {
            try {
                link.await(leave(), timeout);
            } catch (org.apache.kafka.common.KafkaException unreachable) {
                // The session of the member ends later.
            }
        }
    }

    private CompletableFuture<Void> leave() {
        String memberId = id;
        return link.call(
                () -> {
                    broker.group(group).leave(memberId);
                    return null;
                },
                REQUEST_TIMEOUT);
    }
}
