package io.iocluster.node.consul;

import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.consul.ConsulStatus.UpstreamServiceStatus;
import io.iocluster.thread.Platform;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the healthy instances of a service until it is closed, and reports each changed list that is not empty. Survives any loss of the
 * agent. Owns its loop.
 */
final class ServiceWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceWatch.class);

    private final ConsulSettings settings;
    private final ConsulUpstreamSettings service;
    private final Consumer<List<UpstreamAddress>> listener;
    private final BlockingQuery query;
    private final AgentLoop loop;
    private final Platform platform;
    private final CompletableFuture<Void> firstResult = new CompletableFuture<>();
    private volatile List<UpstreamAddress> reported = List.of();
    /** Why the last log line about ignored instances was written; null if none is ignored. */
    private String warnedOf;

    private volatile UpstreamServiceStatus status;

    private ServiceWatch(
            ConsulAgent agent,
            ConsulSettings settings,
            ConsulUpstreamSettings service,
            Consumer<List<UpstreamAddress>> listener,
            Platform platform) {
        this.settings = settings;
        this.service = service;
        this.listener = listener;
        this.platform = platform;
        this.query = BlockingQuery.ofService(agent, service);
        this.loop = new AgentLoop("iocluster-consul-upstreams", settings, this::poll, this::onFailure, platform);
        this.status = new UpstreamServiceStatus(service, false, null, 0);
    }

    /**
     * Starts a watch.
     *
     * @param listener receives the first list and each changed one on the watch's thread
     */
    static ServiceWatch start(
            ConsulAgent agent,
            ConsulSettings settings,
            ConsulUpstreamSettings service,
            Consumer<List<UpstreamAddress>> listener,
            Platform platform) {
        ServiceWatch watch = new ServiceWatch(agent, settings, service, listener, platform);
        watch.loop.start();
        return watch;
    }

    UpstreamServiceStatus status() {
        return status;
    }

    /** Waits until the agent has answered or failed once. */
    void awaitFirstResult(long nanos) throws InterruptedException {
        if (!platform.await(firstResult, Duration.ofNanos(nanos))) {
            LOG.warn("No answer from Consul yet; {} service={}", consequence(), service);
        }
    }

    private long poll() throws IOException, InterruptedException {
        long startNanos = platform.nanos();
        String answer = query.query(settings.queryWait())
                .orElseThrow(
                        () -> new IOException("the agent does not know its own path; check config.consul.address"));
        HealthyInstances instances = HealthyInstances.parse(answer, settings.maxInstances());
        warnOfIgnored(instances);
        List<UpstreamAddress> found = instances.upstreams();
        if (!status.connected()) {
            LOG.info(
                    "Watching a service in Consul address={} service={} instances={}",
                    settings.address(),
                    service,
                    found.size());
        }
        int before = status.instances();
        status = new UpstreamServiceStatus(service, true, null, found.size());
        if (found.isEmpty() && (before > 0 || !firstResult.isDone())) {
            LOG.warn("Service has no healthy instance in Consul; {} service={}", consequence(), service);
        } else if (!found.isEmpty() && !found.equals(reported)) {
            listener.accept(found);
            reported = found;
        }
        firstResult.complete(null);
        return settings.minInterval().toNanos() - (platform.nanos() - startNanos);
    }

    /** Logs each first reason once, because Consul answers again at each change of a check. */
    private void warnOfIgnored(HealthyInstances instances) {
        if (instances.reason() != null && !instances.reason().equals(warnedOf)) {
            LOG.warn(
                    "Instances in Consul get no calls service={} instances={} first=\"{}\"",
                    service,
                    instances.ignored(),
                    instances.reason());
        }
        warnedOf = instances.reason();
    }

    /** Resets the index, so that the first query after the outage returns changes that the watch missed. */
    private void onFailure(String problem) {
        query.resetIndex();
        if (status.problem() == null) {
            LOG.warn(
                    "Reading a service in Consul failed; the node retries, and {} address={} service={} error={}",
                    consequence(),
                    settings.address(),
                    service,
                    problem);
        }
        status = new UpstreamServiceStatus(service, false, problem, status.instances());
        firstResult.complete(null);
    }

    private String consequence() {
        return reported.isEmpty() ? "calls go to the host of their URL" : "calls go to the last upstreams";
    }

    @Override
    public void close() {
        loop.close();
        firstResult.complete(null);
    }
}
