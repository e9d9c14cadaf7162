package io.iocluster.simulation.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/** The coordinator of one consumer group. Confined to the thread of the simulation. */
final class ConsumerGroup {

    static final int DEFAULT_MAX_METADATA = 4096;

    private final KafkaBroker broker;
    private final TreeMap<String, Member> members = new TreeMap<>();
    private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();
    private int generation;
    /** When a rebalance of the classic protocol stops waiting for members; -1 if there is none. */
    private long joinDeadline = -1;

    /** The answer to a member. */
    record Assignment(int generation, Set<TopicPartition> partitions, boolean leader) {}

    /**
     * What a member says about itself.
     *
     * @param eager whether it gives up all partitions before each rebalance
     */
    record Membership(
            String id,
            String clientId,
            Set<String> topics,
            boolean classic,
            boolean eager,
            long sessionNanos,
            long rebalanceNanos) {}

    private static final class Member {
        private final Membership about;
        private long lastHeartbeat;
        private Set<TopicPartition> owned = Set.of();
        /** What it was last told to own. */
        private Set<TopicPartition> told = Set.of();

        private CompletableFuture<Assignment> joining;

        Member(Membership about) {
            this.about = about;
        }

        boolean holds(TopicPartition partition) {
            return owned.contains(partition) || told.contains(partition);
        }
    }

    ConsumerGroup(KafkaBroker broker) {
        this.broker = broker;
    }

    Map<TopicPartition, OffsetAndMetadata> committed() {
        return committed;
    }

    Collection<String> clientIds() {
        return members.values().stream().map(member -> member.about.clientId()).toList();
    }

    /** Joins or joins again with the classic protocol. The result comes when all members have joined. */
    CompletableFuture<Assignment> join(Membership about, Set<TopicPartition> owned) {
        boolean wasEmpty = members.isEmpty();
        Member member = member(about);
        member.owned = owned;
        CompletableFuture<Assignment> answer = new CompletableFuture<>();
        member.joining = answer;
        if (joinDeadline < 0) {
            startRebalance(wasEmpty ? broker.initialRebalanceDelayNanos() : longestRebalance());
        }
        endRebalanceIfAllJoined();
        return answer;
    }

    private Member member(Membership about) {
        Member member = members.get(about.id());
        if (member == null || !member.about.equals(about)) {
            member = new Member(about);
            members.put(about.id(), member);
        }
        member.lastHeartbeat = broker.nanos();
        return member;
    }

    private long longestRebalance() {
        return members.values().stream()
                .mapToLong(member -> member.about.rebalanceNanos())
                .max()
                .orElse(0);
    }

    private void startRebalance(long withinNanos) {
        joinDeadline = broker.nanos() + withinNanos;
    }

    private void endRebalanceIfAllJoined() {
        // The first rebalance of a group waits for more members in any case.
        if (generation > 0 && members.values().stream().allMatch(member -> member.joining != null)) {
            endRebalance();
        }
    }

    private void endRebalance() {
        joinDeadline = -1;
        members.values().removeIf(member -> member.about.classic() && member.joining == null);
        if (members.isEmpty()) {
            generation = 0;
            return;
        }
        generation++;
        Map<String, Set<TopicPartition>> target = target();
        String leader = members.firstKey();
        for (Member member : List.copyOf(members.values())) {
            Set<TopicPartition> given = new HashSet<>(target.get(member.about.id()));
            // A cooperative member gets a partition only after its last owner has given it up, in the next rebalance.
            given.removeIf(partition ->
                    members.values().stream().anyMatch(other -> other != member && other.owned.contains(partition)));
            member.told = given;
            CompletableFuture<Assignment> answer = member.joining;
            member.joining = null;
            member.lastHeartbeat = broker.nanos();
            answer.complete(new Assignment(generation, given, member.about.id().equals(leader)));
        }
        members.values().forEach(member -> member.owned = member.told);
    }

    /**
     * A heartbeat of the classic protocol.
     *
     * @throws UnknownMemberIdException if the member has to join as a new one
     * @throws RebalanceInProgressException if the member has to join again
     */
    void heartbeat(String id, int memberGeneration) {
        Member member = members.get(id);
        if (member == null || memberGeneration != generation) {
            throw new UnknownMemberIdException("unknown member or old generation");
        }
        member.lastHeartbeat = broker.nanos();
        if (joinDeadline >= 0) {
            throw new RebalanceInProgressException();
        }
    }

    /**
     * A heartbeat of the consumer protocol, with what the member owns. Returns what it may own.
     *
     * @param epoch 0 if the member joins
     * @throws UnknownMemberIdException if the member was removed, and has to join as a new one
     */
    Assignment consumerHeartbeat(Membership about, int epoch, Set<TopicPartition> owned) {
        if (!members.containsKey(about.id())) {
            if (epoch > 0) {
                throw new UnknownMemberIdException("the member was removed from the group");
            }
            generation++;
        }
        Member member = member(about);
        member.owned = Set.copyOf(owned);
        Set<TopicPartition> given = new HashSet<>(target().get(about.id()));
        given.removeIf(
                partition -> members.values().stream().anyMatch(other -> other != member && other.holds(partition)));
        member.told = given;
        return new Assignment(generation, given, false);
    }

    /** Returns a balanced assignment that moves as few partitions as possible. */
    private Map<String, Set<TopicPartition>> target() {
        Map<String, Set<TopicPartition>> target = new TreeMap<>();
        members.keySet().forEach(id -> target.put(id, new HashSet<>()));
        Set<String> topics = new HashSet<>();
        members.values().forEach(member -> topics.addAll(member.about.topics()));
        List<TopicPartition> all = new ArrayList<>(broker.partitions(topics));
        all.sort(Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition));
        int most = members.isEmpty() ? 0 : (all.size() + members.size() - 1) / members.size();
        int least = members.isEmpty() ? 0 : all.size() / members.size();
        int withMost = members.isEmpty() ? 0 : all.size() % members.size();
        List<TopicPartition> free = new ArrayList<>();
        int[] larger = {0};
        for (TopicPartition partition : all) {
            Member owner = members.values().stream()
                    .filter(member ->
                            member.holds(partition) && member.about.topics().contains(partition.topic()))
                    .findFirst()
                    .orElse(null);
            Set<TopicPartition> kept = owner == null ? null : target.get(owner.about.id());
            if (kept == null || kept.size() >= most || kept.size() >= least && larger[0] >= withMost) {
                free.add(partition);
            } else {
                larger[0] += kept.size() == least ? 1 : 0;
                kept.add(partition);
            }
        }
        for (TopicPartition partition : free) {
            members.values().stream()
                    .filter(member -> member.about.topics().contains(partition.topic()))
                    .min(Comparator.comparingInt(
                            member -> target.get(member.about.id()).size()))
                    .ifPresent(member -> target.get(member.about.id()).add(partition));
        }
        return target;
    }

    void leave(String id) {
        Member left = members.remove(id);
        if (left == null) {
            return;
        }
        if (!left.about.classic()) {
            generation++;
        } else if (members.isEmpty()) {
            joinDeadline = -1;
            generation = 0;
        } else {
            if (joinDeadline < 0) {
                startRebalance(longestRebalance());
            }
            endRebalanceIfAllJoined();
        }
    }

    /** Starts a rebalance of the classic protocol, because the leader has seen new partitions. */
    void rebalance() {
        if (joinDeadline < 0 && !members.isEmpty()) {
            startRebalance(longestRebalance());
        }
    }

    /** Removes members whose session has ended, and ends a rebalance that takes too long. */
    void expire() {
        long now = broker.nanos();
        List<String> expired = members.values().stream()
                .filter(member -> member.joining == null && now - member.lastHeartbeat > member.about.sessionNanos())
                .map(member -> member.about.id())
                .toList();
        expired.forEach(this::leave);
        if (joinDeadline >= 0 && now >= joinDeadline) {
            endRebalance();
        }
    }

    private List<Member> membersOf(String process) {
        return members.values().stream()
                .filter(member -> member.about.clientId().contains("-" + process + "-"))
                .toList();
    }

    /** Removes the members of a process that do not join at the moment. */
    void expire(String process) {
        for (Member member : membersOf(process)) {
            if (member.joining == null) {
                leave(member.about.id());
            }
        }
    }

    /** Returns the partitions of a process; none during a rebalance of the classic protocol. */
    List<TopicPartition> ownedBy(String process) {
        return joinDeadline >= 0
                ? List.of()
                : membersOf(process).stream()
                        .flatMap(member -> member.owned.stream())
                        .toList();
    }

    /** Starts all sessions over. */
    void renewSessions() {
        members.values().forEach(member -> member.lastHeartbeat = broker.nanos());
    }

    /** Ends all connections of members that wait for a rebalance. */
    void disconnect() {
        for (Member member : members.values()) {
            CompletableFuture<Assignment> joining = member.joining;
            member.joining = null;
            member.lastHeartbeat = broker.nanos();
            if (joining != null) {
                joining.completeExceptionally(new DisconnectException());
            }
        }
    }

    /**
     * Commits offsets.
     *
     * @throws CommitFailedException if the member was removed from the group, or its generation is old
     * @throws RebalanceInProgressException if the group waits for the member to join again
     */
    void commit(String id, int memberGeneration, Map<TopicPartition, OffsetAndMetadata> offsets) {
        Member member = members.get(id);
        // With the consumer protocol, the epoch of a member changes when it has given up a partition.
        boolean stale = member == null
                || (member.about.classic()
                        ? memberGeneration != generation
                        : !offsets.keySet().stream().allMatch(member::holds));
        if (stale) {
            throw new CommitFailedException();
        }
        if (member.about.classic() && member.joining != null) {
            throw new RebalanceInProgressException();
        }
        int maxMetadata = broker.maxMetadata();
        if (offsets.values().stream().anyMatch(each -> each.metadata().length() > maxMetadata)) {
            throw new OffsetMetadataTooLarge("metadata is longer than " + maxMetadata);
        }
        member.lastHeartbeat = broker.nanos();
        committed.putAll(offsets);
    }
}
