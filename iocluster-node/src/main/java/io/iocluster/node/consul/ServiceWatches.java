package io.iocluster.node.consul;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.consul.ConsulStatus.UpstreamServiceStatus;
import io.iocluster.thread.Platform;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Watches the services that the configuration names as upstreams: one thread for each. Thread-safe. */
final class ServiceWatches implements AutoCloseable {

    private final ConsulAgent agent;
    private final ConsulSettings settings;
    private final BiConsumer<ConsulUpstreamSettings, List<UpstreamAddress>> listener;
    private final Platform platform;

    @GuardedBy("this")
    private final Map<ConsulUpstreamSettings, ServiceWatch> watches = new LinkedHashMap<>();

    @GuardedBy("this")
    private boolean closed;

    /** @param listener receives the first list of each service and each changed one */
    ServiceWatches(
            ConsulAgent agent,
            ConsulSettings settings,
            BiConsumer<ConsulUpstreamSettings, List<UpstreamAddress>> listener,
            Platform platform) {
        this.agent = agent;
        this.settings = settings;
        this.listener = listener;
        this.platform = platform;
    }

    /** Watches these services and no others. */
    synchronized void update(Set<ConsulUpstreamSettings> services) {
        if (closed) {
            return;
        }
        watches.entrySet().removeIf(each -> {
            boolean unused = !services.contains(each.getKey());
            if (unused) {
                each.getValue().close();
            }
            return unused;
        });
        add(services);
    }

    /** Watches these services too. */
    synchronized void add(Set<ConsulUpstreamSettings> services) {
        if (closed) {
            return;
        }
        for (ConsulUpstreamSettings each : services) {
            watches.computeIfAbsent(
                    each,
                    service -> ServiceWatch.start(
                            agent, settings, service, found -> listener.accept(service, found), platform));
        }
    }

    /** Waits until the agent has answered or failed for each service. */
    void awaitFirstResults(Duration within) throws InterruptedException {
        long end = platform.nanos() + within.toNanos();
        for (ServiceWatch each : current()) {
            each.awaitFirstResult(end - platform.nanos());
        }
    }

    private synchronized List<ServiceWatch> current() {
        return List.copyOf(watches.values());
    }

    List<UpstreamServiceStatus> status() {
        return current().stream().map(ServiceWatch::status).toList();
    }

    @Override
    public synchronized void close() {
        closed = true;
        watches.values().forEach(ServiceWatch::close);
    }
}
