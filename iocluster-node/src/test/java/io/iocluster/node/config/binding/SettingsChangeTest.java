package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.LoggingSettings;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.config.NodeSettings;
import org.junit.jupiter.api.Test;

class SettingsChangeTest {

    @Test
    void isEmptyBetweenEqualSettings() {
        SettingsChange<NodeSettings> change = between("workers: {threads: 4}", "workers: {threads: 4}");

        assertThat(change.appliedKeys()).isEmpty();
        assertThat(change.restartKeys()).isEmpty();
    }

    @Test
    void appliesLiveKeysAndKeepsTheOthersUntilTheNextStart() {
        SettingsChange<NodeSettings> change = between("{}", """
                workers: {threads: 4, max-in-flight: 600}
                kafka: {requests: {group: other}, properties: {client.rack: a}}
                admin: {port: 9}
                """);

        assertThat(change.appliedKeys()).containsExactly("workers.threads", "workers.max-in-flight");
        assertThat(change.restartKeys())
                .containsExactly("kafka.requests.group", "kafka.properties.client.rack", "admin.port");
        assertThat(change.settings().workers().maxInFlight()).isEqualTo(600);
        assertThat(change.settings().kafka())
                .isEqualTo(SettingsLoading.node("{}").kafka());
        assertThat(change.settings().admin().port()).isEqualTo(8080);
    }

    @Test
    void appliesOnlyTheLiveKeysOfASection() {
        SettingsChange<NodeSettings> change = between("{}", "logging: {level: debug, format: json}");

        assertThat(change.appliedKeys()).containsExactly("logging.level");
        assertThat(change.restartKeys()).containsExactly("logging.format");
        assertThat(change.settings().logging()).isEqualTo(new LoggingSettings(Level.DEBUG, Format.TEXT));
    }

    @Test
    void namesKeysThatInheritAChangedValue() {
        assertThat(between(
                                "destinations: [{match: a.example}]",
                                "{destinations: [{match: a.example}], http: {timeout: 5s}}")
                        .appliedKeys())
                .containsExactly("http.timeout", "destination-defaults.timeout", "destinations[0].timeout");
    }

    @Test
    void namesAddedAndRemovedEntries() {
        SettingsChange<NodeSettings> change = between(
                "credentials: {a: {hosts: [a.example], bearer: x}, b: {hosts: [b.example], bearer: y}}",
                "credentials: {b: {hosts: [b.example], bearer: z}, c: {hosts: [c.example], bearer: y}}");

        assertThat(change.appliedKeys()).containsExactly("credentials.a", "credentials.b.bearer", "credentials.c");
        assertThat(change.settings().credentials()).containsOnlyKeys("b", "c");
    }

    @Test
    void namesAListOfAnotherLength() {
        assertThat(between("{}", "{destinations: [{match: a.example}], egress: {ports: [1]}}")
                        .appliedKeys())
                .containsExactly("egress.ports", "destinations");
    }

    @Test
    void doesNotNameTheEntriesOfASecretMap() {
        assertThat(between(
                                "credentials: {a: {hosts: [a.example], headers: {X-Key: s3cr3t}}}",
                                "credentials: {a: {hosts: [a.example], headers: {X-Other: s3cr3t}}}")
                        .appliedKeys())
                .containsExactly("credentials.a.headers");
    }

    private static SettingsChange<NodeSettings> between(String running, String wanted) {
        return SettingsChange.between(SettingsLoading.node(running), SettingsLoading.node(wanted));
    }
}
