package io.iocluster.pipeline;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that a pipeline is made from, but its transport.
 *
 * @param node this node's id, which answers and dead letters carry
 * @param credentials by name
 * @param others what holds for each destination that {@code destinations} does not name
 */
public record PipelineSettings(
        String nodeId,
        WorkerSettings workers,
        AnswerSettings answers,
        HttpSettings http,
        EgressSettings egress,
        Map<String, CredentialSettings> credentials,
        DestinationPolicy destinationDefaults,
        List<DestinationSettings> destinations) {

    public PipelineSettings {
        destinations = List.copyOf(destinations);
    }

    /** The same settings with other workers. */
    PipelineSettings withWorkers(WorkerSettings next) {
        return new PipelineSettings(
                nodeId, next, answers, http, egress, credentials, destinationDefaults, destinations);
    }

    /** The files that connections are made with. */
    public Set<Path> tlsFiles() {
        return Stream.concat(
                        Stream.of(destinationDefaults), destinations.stream().map(DestinationSettings::policy))
                .flatMap(policy -> policy.tls().files())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Which policy calls to a host have. */
    DestinationPolicies destinationPolicies() {
        return new DestinationPolicies(destinations, destinationDefaults);
    }
}
