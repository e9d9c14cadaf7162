package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.consul.ConsulStatus.UpstreamServiceStatus;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.thread.Platform;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceWatchesTest {

    private static final ConsulUpstreamSettings ORDERS = new ConsulUpstreamSettings("orders", "", "");
    private static final ConsulUpstreamSettings STOCK = new ConsulUpstreamSettings("stock", "", "");

    private final FakeConsulAgent agent = new FakeConsulAgent();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final ServiceWatches watches = watches("token: secret");

    @AfterEach
    void close() {
        watches.close();
        agent.close();
    }

    private ServiceWatches watches(String more) {
        ConsulSettings settings =
                BlockingQueryTest.settings(agent, "min-interval: 1ms, base-delay: 1ms, max-delay: 5ms, " + more);
        return new ServiceWatches(
                new ConsulAgent(settings, settings::token),
                settings,
                (service, upstreams) -> reported.add(service.service() + " " + text(upstreams)),
                Platform.system());
    }

    private static String text(List<UpstreamAddress> upstreams) {
        return String.join(
                " ", upstreams.stream().map(UpstreamAddress::toString).toList());
    }

    private UpstreamServiceStatus status() {
        assertThat(watches.status()).hasSize(1);
        return watches.status().get(0);
    }

    @Test
    void reportsTheInstancesOfEachServiceAtFirstAndAfterEachChange() {
        agent.setInstances("orders", "10.0.0.1:80");
        agent.setInstances("stock", "10.0.1.1:81");
        watches.update(Set.of(ORDERS, STOCK));
        await().until(() -> reported.size() == 2);

        agent.setInstances("orders", "10.0.0.1:80", "replica.example:8080");
        await().until(() -> reported.size() == 3);

        assertThat(reported.subList(0, 2)).containsExactlyInAnyOrder("orders 10.0.0.1:80", "stock 10.0.1.1:81");
        assertThat(reported.get(2)).isEqualTo("orders 10.0.0.1:80 replica.example:8080");
    }

    @Test
    void asksForHealthyInstancesWithTheTagInTheDatacenter() {
        agent.require("secret");
        agent.setInstances("orders", "10.0.0.1:80");

        watches.update(Set.of(new ConsulUpstreamSettings("orders", "v2 & new", "dc-2")));
        await().until(() -> agent.healthQueries().size() == 2);

        assertThat(reported).containsExactly("orders 10.0.0.1:80");
        assertThat(agent.healthQueries())
                .containsExactly(
                        Map.of("passing", "true", "tag", "v2 & new", "dc", "dc-2"),
                        Map.of("passing", "true", "tag", "v2 & new", "dc", "dc-2", "index", "11", "wait", "60000ms"));
    }

    @Test
    void keepsTheLastInstancesIfNoneIsHealthy() {
        agent.setInstances("orders", "10.0.0.1:80");
        watches.update(Set.of(ORDERS));
        await().until(() -> reported.size() == 1);

        agent.setInstances("orders");
        await().until(() -> status().instances() == 0);
        agent.setInstances("orders", "10.0.0.2:80");
        await().until(() -> reported.size() == 2);

        assertThat(reported).containsExactly("orders 10.0.0.1:80", "orders 10.0.0.2:80");
    }

    @Test
    void keepsTheInstancesWhileTheAgentIsAwayAndReportsAChangeThatItMissed() {
        agent.setInstances("orders", "10.0.0.1:80");
        watches.update(Set.of(ORDERS));
        await().until(() -> reported.size() == 1);

        agent.stop();
        await().until(() -> status().problem() != null);
        assertThat(status().connected()).isFalse();
        assertThat(status().instances()).isEqualTo(1);
        assertThat(reported).hasSize(1);
        agent.setInstances("orders", "10.0.0.2:80");
        agent.restart();

        await().until(() -> reported.equals(List.of("orders 10.0.0.1:80", "orders 10.0.0.2:80")));
        assertThat(status().problem()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{}",
                "[{}]",
                "[null]",
                "[[]]",
                "[{}",
                "[{\"Service\": {\"Address\": \"10.0.0.9\", \"Port\": 0}}]",
                "[{\"Service\": {\"Address\": \"no host\", \"Port\": 80}}]"
            })
    void keepsTheInstancesIfTheAnswerIsNotOfTheDocumentedForm(String json) {
        agent.setInstances("orders", "10.0.0.1:80");
        watches.update(Set.of(ORDERS));
        await().until(() -> reported.size() == 1);

        agent.setInstancesJson("orders", json);
        await().until(() -> status().problem() != null);

        assertThat(reported).hasSize(1);
    }

    @Test
    void leavesOutAnInstanceWithoutAValidAddressIfOthersHaveOne() {
        agent.setInstancesJson("orders", """
                [{"Service": {"ID": "without-port", "Address": "10.0.0.9", "Port": 0}},
                 {"Service": {"Address": "10.0.0.2", "Port": 80}}]
                """);

        watches.update(Set.of(ORDERS));

        await().until(() -> reported.equals(List.of("orders 10.0.0.2:80")));
        assertThat(status().problem()).isNull();
        assertThat(status().instances()).isEqualTo(1);
    }

    @Test
    void anInstanceWithoutAnAddressHasThatOfItsMachine() {
        agent.setInstancesJson("orders", "[{\"Node\": {\"Address\": \"2001:db8::1\"}, \"Service\": {\"Port\": 80}}]");

        watches.update(Set.of(ORDERS));

        await().until(() -> reported.equals(List.of("orders [2001:db8::1]:80")));
    }

    @Test
    void readsTheZoneOfAnInstance() throws Exception {
        List<UpstreamAddress> instances =
                HealthyInstances.parse("""
                [{"Node": {"Address": "10.0.0.1", "Locality": {"Zone": "b"}}, "Service": {"Port": 1, "Locality": {"Zone": "a"}}},
                 {"Node": {"Address": "10.0.0.1", "Locality": {"Zone": "b"}}, "Service": {"Port": 2, "Locality": null}},
                 {"Node": {"Address": "10.0.0.1"}, "Service": {"Port": 3, "Meta": {"zone": "c"}}},
                 {"Node": {"Address": "10.0.0.1"}, "Service": {"Port": 4, "Meta": null}},
                 {"Node": {"Address": "10.0.0.1"}, "Service": {"Port": 5, "Meta": {"zone": "%s"}}}]
                """.formatted("z".repeat(101)), 10).upstreams();

        assertThat(instances).extracting(UpstreamAddress::zone).containsExactly("a", "b", "c", "", "");
    }

    @Test
    void doesNotReportAServiceThatIsNoLongerUsed() {
        agent.setInstances("orders", "10.0.0.1:80");
        agent.setInstances("stock", "10.0.1.1:81");
        watches.update(Set.of(ORDERS));
        await().until(() -> reported.size() == 1);

        watches.update(Set.of(STOCK));
        await().until(() -> reported.size() == 2);
        agent.setInstances("orders", "10.0.0.2:80");
        agent.setInstances("stock", "10.0.1.2:81");
        await().until(() -> reported.contains("stock 10.0.1.2:81"));

        assertThat(reported).containsExactly("orders 10.0.0.1:80", "stock 10.0.1.1:81", "stock 10.0.1.2:81");
    }

    @Test
    void aStartingNodeWaitsForTheFirstResultOnly() throws Exception {
        agent.fail(500);
        watches.update(Set.of(ORDERS));

        watches.awaitFirstResults(Duration.ofMinutes(1));

        assertThat(status().problem()).contains("500");
    }

    @Test
    void stopsWatchingAServiceThatWasAddedForSettingsThatWereRefused() {
        agent.setInstances("orders", "10.0.0.1:80");
        agent.setInstances("stock", "10.0.1.1:81");
        watches.update(Set.of(ORDERS));
        watches.add(Set.of(STOCK));
        await().until(() -> reported.size() == 2);

        watches.update(Set.of(ORDERS));

        assertThat(watches.status()).extracting(UpstreamServiceStatus::service).containsExactly(ORDERS);
        agent.setInstances("stock", "10.0.1.2:81");
        agent.setInstances("orders", "10.0.0.2:80");
        await().until(() -> reported.contains("orders 10.0.0.2:80"));
        assertThat(reported).doesNotContain("stock 10.0.1.2:81");
    }

    @Test
    void aClosedWatchIsNotAwaited() throws Exception {
        agent.stopAnswering();
        watches.update(Set.of(ORDERS));
        Thread waiting = new Thread(() -> awaitFirstResults());
        waiting.start();

        watches.close();

        waiting.join(10_000);
        assertThat(waiting.isAlive()).isFalse();
    }

    @Test
    void usesTheFirstInstancesIfAServiceHasTooMany() {
        agent.setInstances("orders", "10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80", "10.0.0.4:80");

        try (CapturedLog log = CapturedLog.of(ServiceWatch.class, Level.WARN);
                ServiceWatches limited = watches("max-instances: 2")) {
            limited.update(Set.of(ORDERS));
            await().until(() -> reported.equals(List.of("orders 10.0.0.1:80 10.0.0.2:80")));

            assertThat(log.messages())
                    .contains("Instances in Consul get no calls service=orders instances=2 first=\"the service has more"
                            + " than 2 instances, see config.consul.max-instances\"");
        }
    }

    @Test
    void aTextThatSomeoneRegisteredDoesNotBreakALogLine() throws Exception {
        String id = "a\\nERROR forged" + "x".repeat(1_000);

        HealthyInstances instances = HealthyInstances.parse("""
                [{"Service": {"Address": "10.0.0.1", "Port": 80}}, {"Service": {"ID": "%s", "Address": "10.0.0.2"}}]
                """.formatted(id), 10);

        assertThat(instances.reason())
                .startsWith("instance a?ERROR forged")
                .endsWith("x… has no valid address: 10.0.0.2:0")
                .hasSizeLessThan(200);
    }

    private void awaitFirstResults() {
        try {
            watches.awaitFirstResults(Duration.ofMinutes(1));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
