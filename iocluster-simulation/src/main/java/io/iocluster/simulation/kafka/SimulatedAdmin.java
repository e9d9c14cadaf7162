package io.iocluster.simulation.kafka;

import io.iocluster.testkit.simulation.SimulatedProcess;
import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.CreateTopicsResult.TopicMetadataAndConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsResult;
import org.apache.kafka.clients.admin.DescribeFeaturesResult;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;

/**
 * An admin client with the requests that nodes make; it refuses all others. The interface of the library has more than a hundred methods, so
 * this is a proxy, and it creates the results with their constructors that are not public. Confined to the thread of the simulation.
 */
final class SimulatedAdmin {

    private static final Node NODE = new Node(1, "simulated", 9092);

    private final KafkaBroker broker;
    private final BrokerLink link;
    private final Duration timeout;

    private SimulatedAdmin(KafkaBroker broker, SimulatedProcess process, ClientConfig config) {
        this.broker = broker;
        this.link = new BrokerLink(broker, process);
        this.timeout = config.millis("default.api.timeout.ms", 60_000);
    }

    static Admin open(KafkaBroker broker, SimulatedProcess process, ClientConfig config) {
        SimulatedAdmin admin = new SimulatedAdmin(broker, process, config);
        return (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    process.requireAlive();
                    return admin.invoke(method.getName(), arguments);
                });
    }

    @SuppressWarnings("unchecked") // The arguments are those of the methods of Admin with these names.
    private Object invoke(String method, Object[] arguments) {
        return switch (method) {
            case "close" -> null;
            case "toString" -> "SimulatedAdmin";
            case "createTopics" -> createTopics((Collection<NewTopic>) arguments[0]);
            case "describeTopics" -> describeTopics((Collection<String>) arguments[0]);
            case "describeConfigs" -> describeConfigs((Collection<ConfigResource>) arguments[0]);
            case "describeCluster" -> describeCluster();
            case "describeFeatures" -> describeFeatures();
            case "describeConsumerGroups" -> describeConsumerGroups((Collection<String>) arguments[0]);
            case "describeProducers" -> describeProducers((Collection<TopicPartition>) arguments[0]);
            case "listOffsets" ->
                listOffsets(
                        (Map<TopicPartition, OffsetSpec>) arguments[0],
                        arguments.length > 1
                                ? ((ListOffsetsOptions) arguments[1]).isolationLevel()
                                : IsolationLevel.READ_UNCOMMITTED);
            default -> throw new UnsupportedOperationException("not simulated: " + method);
        };
    }

    private <T> KafkaFuture<T> ask(Supplier<T> handler) {
        return future(link.call(handler, timeout));
    }

    private static <T> KafkaFuture<T> future(CompletableFuture<T> answer) {
        KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
        answer.whenComplete((value, failure) -> {
            if (failure == null) {
                future.complete(value);
            } else {
                future.completeExceptionally(failure);
            }
        });
        return future;
    }

    /** Sends one request for all keys. */
    private <K, V> Map<K, KafkaFuture<V>> askForEach(Collection<K> keys, Function<K, V> handler) {
        CompletableFuture<Map<K, Object>> all = link.call(
                () -> {
                    Map<K, Object> results = new HashMap<>();
                    for (K key : keys) {
                        try {
                            results.put(key, handler.apply(key));
                        } catch (KafkaException refused) {
                            results.put(key, refused);
                        }
                    }
                    return results;
                },
                timeout);
        Map<K, KafkaFuture<V>> futures = new HashMap<>();
        for (K key : keys) {
            futures.put(key, future(all.thenCompose(results -> result(results.get(key)))));
        }
        return futures;
    }

    @SuppressWarnings("unchecked") // The value is what the handler returned.
    private static <V> CompletableFuture<V> result(Object result) {
        return result instanceof KafkaException refused
                ? CompletableFuture.failedFuture(refused)
                : CompletableFuture.completedFuture((V) result);
    }

    private static <R> R create(Class<R> type, Object... arguments) {
        try {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == arguments.length) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(arguments));
                }
            }
        } catch (ReflectiveOperationException changed) {
            throw new IllegalStateException(type + " has other constructors", changed);
        }
        throw new IllegalStateException(type + " has no constructor with " + arguments.length + " parameters");
    }

    private CreateTopicsResult createTopics(Collection<NewTopic> topics) {
        Map<String, NewTopic> byName = new HashMap<>();
        topics.forEach(topic -> byName.put(topic.name(), topic));
        return create(CreateTopicsResult.class, askForEach(byName.keySet(), name -> {
            NewTopic topic = byName.get(name);
            Map<String, String> configs = topic.configs() == null ? Map.of() : topic.configs();
            if (!broker.createTopic(name, Math.max(1, topic.numPartitions()), configs)) {
                throw new TopicExistsException("Topic '" + name + "' already exists.");
            }
            return new TopicMetadataAndConfig(broker.topic(name).id(), topic.numPartitions(), 1, new Config(List.of()));
        }));
    }

    private DescribeTopicsResult describeTopics(Collection<String> names) {
        return create(DescribeTopicsResult.class, null, askForEach(names, name -> {
            KafkaBroker.Topic topic = broker.requireTopic(name);
            List<TopicPartitionInfo> partitions = new ArrayList<>();
            for (int i = 0; i < topic.partitions().size(); i++) {
                partitions.add(new TopicPartitionInfo(i, NODE, List.of(NODE), List.of(NODE)));
            }
            return new TopicDescription(name, false, partitions, Set.of(), topic.id());
        }));
    }

    private DescribeConfigsResult describeConfigs(Collection<ConfigResource> resources) {
        return create(DescribeConfigsResult.class, askForEach(resources, resource -> {
            if (resource.type() == ConfigResource.Type.GROUP) {
                return new Config(List.of(new ConfigEntry("consumer.session.timeout.ms", "10000")));
            }
            KafkaBroker.Topic topic = broker.requireTopic(resource.name());
            return new Config(List.of(
                    new ConfigEntry("max.message.bytes", Integer.toString(topic.maxMessageBytes())),
                    new ConfigEntry("compression.type", topic.configs().getOrDefault("compression.type", "producer"))));
        }));
    }

    private DescribeClusterResult describeCluster() {
        return create(
                DescribeClusterResult.class,
                ask(() -> List.of(NODE)),
                ask(() -> NODE),
                ask(() -> "simulated"),
                ask(Set::of));
    }

    private DescribeFeaturesResult describeFeatures() {
        return create(
                DescribeFeaturesResult.class,
                ask(() -> create(
                        FeatureMetadata.class,
                        broker.hasConsumerProtocol()
                                ? Map.of("group.version", new FinalizedVersionRange((short) 1, (short) 1))
                                : Map.of(),
                        Optional.empty(),
                        Map.of())));
    }

    private DescribeConsumerGroupsResult describeConsumerGroups(Collection<String> groups) {
        return new DescribeConsumerGroupsResult(askForEach(groups, group -> {
            List<MemberDescription> members = broker.group(group).clientIds().stream()
                    .map(id -> new MemberDescription(id, id, "/127.0.0.1", new MemberAssignment(Set.of())))
                    .toList();
            if (members.isEmpty() && broker.group(group).committed().isEmpty()) {
                throw new GroupIdNotFoundException("Group " + group + " not found.");
            }
            return new ConsumerGroupDescription(
                    group,
                    false,
                    members,
                    "",
                    GroupType.CLASSIC,
                    members.isEmpty() ? GroupState.EMPTY : GroupState.STABLE,
                    NODE,
                    Set.of(),
                    Optional.empty(),
                    Optional.empty());
        }));
    }

    private DescribeProducersResult describeProducers(Collection<TopicPartition> partitions) {
        return create(DescribeProducersResult.class, askForEach(partitions, partition -> {
            throw new UnsupportedVersionException("producers are not simulated");
        }));
    }

    private ListOffsetsResult listOffsets(Map<TopicPartition, OffsetSpec> specs, IsolationLevel isolation) {
        return new ListOffsetsResult(askForEach(specs.keySet(), partition -> {
            PartitionLog log = broker.leader(partition);
            long end = isolation == IsolationLevel.READ_COMMITTED ? log.stable() : log.end();
            long offset = specs.get(partition) instanceof OffsetSpec.EarliestSpec ? log.start() : end;
            return new ListOffsetsResultInfo(offset, -1, Optional.empty());
        }));
    }
}
