package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.memory.MemoryCluster;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Tests the cluster's part of the console in a browser with two real nodes, of which one runs another configuration. */
class ClusterConsoleIT {

    private static Browser browser;
    private static AdminFixture first;
    private static AdminFixture second;

    @BeforeAll
    static void startNodesAndBrowser() {
        MemoryCluster cluster = new MemoryCluster();
        first = new AdminFixture("node: {id: node-1}\nadmin: {port: 0}", cluster);
        second = new AdminFixture("node: {id: node-2}\nadmin: {port: 0}\nworkers: {max-in-flight: 60}", cluster);
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        browser.close();
        first.close();
        second.close();
    }

    @AfterEach
    void logsNoBrowserErrors() {
        assertThat(browser.log()).isEmpty();
    }

    @Test
    void showsEveryNodeAndWhichOneRunsAnotherConfiguration() {
        open(first, 1280, false);

        browser.until(() -> browser.all("#cluster-nodes tbody tr").size() == 2);

        assertThat(browser.find("cluster").isDisplayed()).isTrue();
        assertThat(browser.text("#cluster-nodes")).contains("node-1 (this node)", "node-2", "running");
        browser.until(() -> browser.text("#cluster-headline").contains("runs another configuration"));
        assertThat(browser.all("#cluster-nodes td.badge")).hasSize(1);
        assertThat(browser.text("#cluster-nodes td.badge")).matches("other: [0-9a-f]{12}");
        browser.until(() -> browser.text("#cluster-facts").startsWith("2 nodes · lag 0 · in flight 0 of 360"));
        assertThat(browser.text("#cluster-lags")).contains("memory");
    }

    @Test
    void showsTheBusiestProducersOfTheOtherNode() {
        open(first, 1280, false);
        byte[] call = ("{\"url\": \"" + second.target.url("/ok") + "\"}").getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 60; i++) {
            second.broker.send(call, "flood-" + i, Map.of("app", "billing"));
        }

        browser.until(() -> browser.text("#cluster-apps").contains("billing"));
        assertThat(browser.find("cluster-apps-title").isDisplayed()).isTrue();
        assertThat(browser.text("#cluster-apps tbody tr"))
                .startsWith("billing")
                .contains("%")
                .endsWith("node-2");
    }

    @Test
    void sortsTheNodesWithTheKeyboard() {
        open(first, 1280, false);
        browser.until(() -> browser.all("#cluster-nodes tbody tr").size() == 2);

        browser.all("#cluster-nodes th button").get(4).sendKeys(Keys.ENTER, Keys.ENTER);

        assertThat(browser.text("#cluster-nodes tbody th")).isEqualTo("node-2");
        assertThat(browser.run("return document.querySelectorAll('#cluster-nodes thead th')[4].ariaSort"))
                .isEqualTo("ascending");
    }

    @Test
    void isHiddenIfTheNodeIsAlone() {
        try (AdminFixture alone = new AdminFixture("admin: {port: 0}")) {
            open(alone, 1280, false);
            browser.until(() -> browser.text("#state").equals("running"));
            browser.until(() -> !browser.text("#verdict").isEmpty());

            assertThat(browser.find("cluster").isDisplayed()).isFalse();
            browser.close();
        }
    }

    @Test
    void showsTheMostUrgentProblemOrTheAdvice() {
        open(first, 1280, false);
        browser.until(() -> browser.text("#state").equals("running"));

        assertThat(browser.runLater("""
                const { ClusterPanel } = await import('/console/cluster.js');
                document.getElementById('cluster-nodes').replaceChildren();
                document.getElementById('cluster-apps').replaceChildren();
                document.getElementById('cluster-lags').replaceChildren();
                const panel = new ClusterPanel();
                const node = (name, lag) => ({
                  node: name, self: false, state: 'running', configuration: '41c0a5d2f7e3', version: '1.0.0', lag, inFlight: 10, inFlightLimit: 50, callsPerSecond: 100,
                  lags: [{ queue: 'requests', partition: 3, messages: lag, oldestAgeMillis: 5, stale: false }],
                });
                const cluster = (advice, ...problems) => ({
                  enabled: true, outdated: false, advice, problems, nodes: [node('node-1', 10), node('node-2', 30)],
                });
                const advice = {
                  verdict: 'grow-in-flight', maxInFlightPerNode: 75, reason: 'all slots are taken', since: '2026-01-02T03:04:05Z',
                };
                const problem = severity => ({
                  severity, text: `A ${severity} problem.`, action: 'Do it.', since: '2026-01-02T03:04:05Z',
                });
                const text = id => document.getElementById(id).textContent;
                const seen = () => ['cluster-headline', 'cluster-reason', 'cluster-problems'].map(text).join('/');
                const all = [];
                panel.show(cluster(advice, problem('warn')));
                all.push(seen(), text('cluster-facts'));
                panel.show(cluster({ ...advice, verdict: 'hold' }, problem('warn')));
                all.push(seen());
                panel.show(cluster(advice, problem('bad'), problem('warn')));
                all.push(seen());
                panel.show({ ...cluster(null, problem('warn')), outdated: true });
                all.push(seen());
                panel.show(cluster({ ...advice, verdict: 'add-nodes', additionalNodes: 3 }));
                all.push(seen());
                panel.show({ ...cluster(null), outdated: true });
                all.push(seen());
                return all.join('|');
                """).toString().replaceAll("\\d+ \\w+ 20\\d\\d, \\d\\d:\\d\\d:\\d\\d", "T"))
                .isEqualTo("A warn problem./Do it./"
                        + "|2 nodes · lag 40 · in flight 20 of 100 · 200/s calls · since T"
                        + "|A warn problem./Do it./"
                        + "|A bad problem./Do it./A warn problem. Do it."
                        + "|A warn problem./Do it./"
                        + "|More nodes: add about 3./all slots are taken/"
                        + "|The cluster is being observed.//");
    }

    private static void open(AdminFixture node, int width, boolean dark) {
        browser.open(node.uri("/"), width, 900, dark);
    }
}
