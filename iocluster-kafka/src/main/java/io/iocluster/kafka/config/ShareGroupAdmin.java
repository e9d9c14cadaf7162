package io.iocluster.kafka.config;

import io.iocluster.settings.DurationText;
import io.iocluster.transport.outage.RootCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks and configures the share group of the settings. Stateless; each method opens its own connection and blocks. */
public final class ShareGroupAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(ShareGroupAdmin.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(6);
    private static final String FEATURE = "share.version";
    private static final String LOCK = "share.record.lock.duration.ms";
    private static final String DELIVERY_LIMIT = "share.delivery.count.limit";
    private static final String RENEW = "share.renew.acknowledge.enable";
    private static final String RESET = "share.auto.offset.reset";
    private static final String ISOLATION = "share.isolation.level";
    private static final int DEFAULT_DELIVERY_LIMIT = 5;
    private static final Duration DEFAULT_LOCK = Duration.ofSeconds(30);

    private final KafkaSettings settings;
    private final KafkaConnections connections;
    private final String group;
    private final ConfigResource resource;

    public ShareGroupAdmin(KafkaConnections connections) {
        this.settings = connections.settings();
        this.connections = connections;
        this.group = settings.requests().group();
        this.resource = new ConfigResource(ConfigResource.Type.GROUP, group);
    }

    /**
     * The share group as the brokers describe it.
     *
     * @param problem why the node cannot read as a member of the group, or null
     * @param warning advice, although the node can work, or null
     * @param description one line; null if there is a problem
     */
    public record ShareGroupReport(String problem, String warning, String description) {}

    /** Describes the group and changes nothing. Returns problems as values, even an unreachable broker. */
    public ShareGroupReport check() {
        try (Admin admin = connections.openAdmin("share-check")) {
            try {
                boolean fresh = requireShareGroup(admin);
                ShareGroupRules rules = rules(describe(admin));
                return new ShareGroupReport(
                        null,
                        rules.renewable() || isConfigurable(admin) ? null : notRenewable(rules),
                        "locks of " + DurationText.format(rules.lock()) + ", at most " + rules.deliveryLimit()
                                + " deliveries" + (fresh ? "; the group does not exist yet" : ""));
            } finally {
                admin.close(Duration.ofMillis(500));
            }
        } catch (KafkaException failed) {
            return new ShareGroupReport(RootCause.message(failed), null, null);
        }
    }

    /**
     * Configures the group: where it starts if it is new, that it skips aborted transactions, and that its members may
     * renew locks.
     *
     * @return what the brokers allow
     * @throws KafkaException if the brokers have no share groups, the group is of another type, or a new group would
     *     skip messages because its start cannot be set
     */
    public ShareGroupRules prepare() {
        try (Admin admin = connections.openAdmin("share-group")) {
            try {
                boolean fresh = requireShareGroup(admin);
                Map<String, String> current = describe(admin);
                List<String> failed = configure(admin, wanted(fresh), current);
                if (failed.contains(RESET)) {
                    throw new KafkaException(
                            "share group \"" + group + "\" is new and would start at " + current.get(RESET)
                                    + "; allow the node to alter the group's configuration, or set " + RESET + "="
                                    + start());
                }
                if (failed.contains(ISOLATION)) {
                    LOG.warn(
                            "Share group also delivers requests of aborted transactions; set {}=read_committed for the"
                                    + " group group={}",
                            ISOLATION,
                            group);
                }
                ShareGroupRules rules = rules(current);
                if (!rules.renewable()) {
                    LOG.warn("{} group={}", notRenewable(rules), group);
                }
                return rules;
            } finally {
                admin.close(Duration.ZERO);
            }
        }
    }

    /** Returns whether the group is new. */
    private boolean requireShareGroup(Admin admin) {
        FinalizedVersionRange version = await(admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(FEATURE);
        if (version == null || version.maxVersionLevel() == 0) {
            throw new KafkaException("the brokers do not offer share groups, because their feature " + FEATURE
                    + " is not enabled; enable it, or set kafka.requests.mode: consumer");
        }
        if (exists(admin.describeShareGroups(List.of(group)).describedGroups().get(group))) {
            return false;
        }
        if (exists(
                admin.describeConsumerGroups(List.of(group)).describedGroups().get(group))) {
            throw new KafkaException("kafka.requests.group: \"" + group + "\" is a consumer group; use another name for"
                    + " the share group, or delete the consumer group");
        }
        return true;
    }

    private boolean exists(KafkaFuture<?> description) {
        try {
            await(description);
            return true;
        } catch (GroupIdNotFoundException none) {
            return false;
        }
    }

    private String start() {
        return settings.requests().autoOffsetReset().name().toLowerCase(Locale.ROOT);
    }

    private Map<String, String> wanted(boolean fresh) {
        Map<String, String> wanted = new LinkedHashMap<>();
        if (fresh) {
            wanted.put(RESET, start());
        }
        wanted.put(ISOLATION, connections.properties().isReadCommitted() ? "read_committed" : "read_uncommitted");
        wanted.put(RENEW, "true");
        return wanted;
    }

    /** Sets what differs and updates {@code current}. Returns what could not be set. */
    private List<String> configure(Admin admin, Map<String, String> wanted, Map<String, String> current) {
        List<String> failed = new ArrayList<>();
        wanted.forEach((name, value) -> {
            if (value.equals(current.get(name))) {
                return;
            }
            try {
                AlterConfigOp change = new AlterConfigOp(new ConfigEntry(name, value), OpType.SET);
                await(admin.incrementalAlterConfigs(Map.of(resource, List.of(change)))
                        .all());
                current.put(name, value);
                LOG.info("Share group configured group={} {}={}", group, name, value);
            } catch (KafkaException refused) {
                LOG.debug("Share group not configured group={} {}={}", group, name, value, refused);
                failed.add(name);
            }
        });
        return failed;
    }

    /** Returns whether the node can enable renewals when it starts, as far as the brokers say. */
    private boolean isConfigurable(Admin admin) {
        return describe(admin).containsKey(RENEW);
    }

    private Map<String, String> describe(Admin admin) {
        Config config = await(admin.describeConfigs(List.of(resource)).all()).get(resource);
        Map<String, String> values = new LinkedHashMap<>();
        config.entries().forEach(entry -> values.put(entry.name(), entry.value()));
        return values;
    }

    private static ShareGroupRules rules(Map<String, String> config) {
        String lock = config.get(LOCK);
        String limit = config.get(DELIVERY_LIMIT);
        return new ShareGroupRules(
                lock == null ? DEFAULT_LOCK : Duration.ofMillis(Long.parseLong(lock)),
                limit == null ? DEFAULT_DELIVERY_LIMIT : Integer.parseInt(limit),
                Boolean.parseBoolean(config.get(RENEW)));
    }

    private static String notRenewable(ShareGroupRules rules) {
        return "Locks of the share group cannot be renewed; calls that take longer than "
                + DurationText.format(rules.lock()) + " are delivered again while they run; set " + RENEW
                + "=true for the group, or keep all deadlines shorter";
    }

    private <T> T await(KafkaFuture<T> future) {
        try {
            return connections.await(future, TIMEOUT);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof KafkaException known ? known : new KafkaException(failed.getCause());
        } catch (TimeoutException late) {
            throw new KafkaException("no broker answers", late);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }
}
