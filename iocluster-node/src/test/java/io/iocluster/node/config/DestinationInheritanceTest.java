package io.iocluster.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.node.config.binding.SettingsLoading;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests which settings of a destination come from other sections. */
class DestinationInheritanceTest {

    @Test
    void rejectsWhenFullDelayIfDelayedRetriesAreDisabled() {
        String delay = "destination-defaults: {when-full: delay}\n";

        NodeSettings kafka = SettingsLoading.node(delay + "kafka: {delayed: {enabled: true}}");
        NodeSettings rabbit = SettingsLoading.node(delay + "transport: rabbit\nrabbit: {delayed: {enabled: true}}");

        assertThat(kafka.destinationDefaults().whenFull()).isEqualTo(QueueFullPolicy.DELAY);
        assertThat(rabbit.destinationDefaults().whenFull()).isEqualTo(QueueFullPolicy.DELAY);
        assertThatThrownBy(() -> SettingsLoading.node(delay + "rabbit: {delayed: {enabled: true}}"))
                .hasMessageContaining(
                        "destination-defaults.when-full must not be delay because kafka.delayed.enabled is false");
        assertThatThrownBy(() -> SettingsLoading.node("destinations: [{match: a.example, when-full: delay}]"))
                .hasMessageContaining("destinations[0].when-full");
    }

    @Test
    void destinationsInheritUnsetKeysFromTheDefaultsAndTheSections() {
        NodeSettings settings = SettingsLoading.node("""
            http: {timeout: 2s, deadline: 9s}
            retry: {max-attempts: 7}
            destination-defaults: {deadline: 5s, retry: {base-delay: 50ms}, breaker: {half-open-calls: 2}}
            destinations: [{match: "a.example", retry: {max-attempts: 4}}, {match: [b.example, "*.b.example"]}]
            """);

        DestinationPolicy first = settings.destinations().get(0).policy();
        assertThat(first.timeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(first.deadline()).isEqualTo(Duration.ofSeconds(5));
        assertThat(first.retry().maxAttempts()).isEqualTo(4);
        assertThat(first.retry().baseDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(first.breaker().halfOpenCalls()).isEqualTo(2);
        assertThat(settings.destinations().get(1).policy()).isEqualTo(settings.destinationDefaults());
        assertThat(settings.destinations()).extracting("name").containsExactly("a.example", "b.example");
        assertThat(settings.destinationDefaults().retry().maxAttempts()).isEqualTo(7);
    }
}
