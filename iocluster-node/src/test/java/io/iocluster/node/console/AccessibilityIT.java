package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.memory.MemoryCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks every view of the console against the rules of axe-core, the accessibility checker, and that it fits its window. */
class AccessibilityIT {

    private static final String DESTINATIONS = """
            admin: {port: 0, docs-url: 'https://docs.example/'}
            destinations:
              - {match: 127.0.0.1, name: partner}
              - {match: 127.0.0.2, name: billing, max-in-flight: 5}
            """;

    private static AdminFixture node;
    private static AdminFixture other;
    private static Browser browser;

    @BeforeAll
    static void fillEveryTable() {
        MemoryCluster cluster = new MemoryCluster();
        node = new AdminFixture("node: {id: node-1}\n" + DESTINATIONS, cluster);
        other = new AdminFixture("node: {id: node-2}\nworkers: {max-in-flight: 60}\n" + DESTINATIONS, cluster);
        for (int i = 0; i < 4; i++) {
            node.fail("failed-" + i);
        }
        node.broker.send("{\"id\": \"answered-1\", \"url\": \"" + node.target.url("/status?code=404") + "\"}");
        String pause = "{\"destination\": \"billing\", \"for\": \"10m\"}";
        assertThat(node.call("POST", "/api/destinations/pause", pause, "Content-Type", "application/json")
                        .statusCode())
                .isEqualTo(200);
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        browser.close();
        node.close();
        other.close();
    }

    @ParameterizedTest
    @CsvSource({"1400, true", "400, false"})
    void everyViewIsReadable(int width, boolean dark) {
        browser.open(node.uri("/"), width, 900, dark);
        browser.until(() -> browser.all("#cluster-nodes tbody tr").size() == 2
                && browser.text("#failure-groups").contains("partner")
                && browser.text("#destinations").contains("billing")
                && browser.all("#cluster-nodes td.badge").size() == 1
                && !browser.text("#problem-text").isEmpty());
        assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(dark ? "rgb(15, 19, 24)" : "rgb(245, 246, 248)");
        assertReadable();

        browser.run("document.getElementById('drain').click()");
        browser.until(() -> browser.find("drain-dialog").isDisplayed());
        assertThat(AccessibilityRules.violations(browser)).isEmpty();

        browser.open(node.uri("/?destination=partner"), width, 900, dark);
        browser.until(() -> browser.text("#destination-failures").contains("failed-1"));
        assertReadable();

        browser.open(node.uri("/?destination=missing"), width, 900, dark);
        browser.until(() -> !browser.text("#destination-unknown").isEmpty());
        assertReadable();
    }

    private static void assertReadable() {
        assertThat(AccessibilityRules.violations(browser)).isEmpty();
        assertThat((long) browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);
        assertThat(browser.log()).isEmpty();
    }

    @Test
    void brokenRulesAreFound() {
        browser.open(node.uri("/"), 1400, 900, false);
        browser.until(() -> browser.text("#node").equals("node-1"));
        browser.run("document.documentElement.removeAttribute('lang')");
        browser.run("document.getElementById('node').style.color = '#d8d8d8'");

        assertThat(AccessibilityRules.violations(browser))
                .satisfiesExactlyInAnyOrder(
                        rule -> assertThat(rule.toString())
                                .startsWith("html-has-lang: ")
                                .endsWith(": html"),
                        rule -> assertThat(rule.toString())
                                .startsWith("color-contrast: ")
                                .endsWith(": #node"));
    }
}
