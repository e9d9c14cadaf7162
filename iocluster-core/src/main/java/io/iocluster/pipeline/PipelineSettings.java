package io.iocluster.pipeline;

import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.credential.CredentialSettings;
import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.AppSettings;
import io.iocluster.producer.ProducerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Configures a pipeline, except its transport.
 *
 * @param nodeId identifies this node in answers and dead letters
 * @param credentials by name
 * @param destinationDefaults applies to each destination that {@code destinations} does not name
 * @param apps the apps with their own quota
 * @param sharedCache the cache that nodes share
 */
public record PipelineSettings(
        String nodeId,
        WorkerSettings workers,
        AnswerSettings answers,
        HttpSettings http,
        EgressSettings egress,
        Map<String, CredentialSettings> credentials,
        DestinationPolicy destinationDefaults,
        List<DestinationSettings> destinations,
        ProducerSettings producers,
        List<AppSettings> apps,
        SharedCacheSettings sharedCache) {

    public PipelineSettings {
        destinations = List.copyOf(destinations);
        apps = List.copyOf(apps);
    }

    /** Returns these settings with other worker settings. */
    PipelineSettings withWorkers(WorkerSettings next) {
        return new PipelineSettings(
                nodeId,
                next,
                answers,
                http,
                egress,
                credentials,
                destinationDefaults,
                destinations,
                producers,
                apps,
                sharedCache);
    }

    /** Returns the certificate, key and trust files of all destinations. */
    public Set<Path> tlsFiles() {
        return Stream.concat(
                        Stream.of(destinationDefaults), destinations.stream().map(DestinationSettings::policy))
                .flatMap(policy -> policy.tls().files())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns whether responses that were stored under the other settings must not be used any more. */
    boolean invalidatesResponsesOf(PipelineSettings before) {
        return !egress.equals(before.egress) || !producers.equals(before.producers);
    }

    /** Returns the policy of each host. */
    DestinationPolicies destinationPolicies() {
        return new DestinationPolicies(destinations, destinationDefaults);
    }
}
