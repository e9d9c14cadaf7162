package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.memory.MemoryCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** Tests that every view of the console fits wide and narrow windows, in a browser with a cluster of two real nodes. */
class ViewsIT {

    private static Browser browser;
    private static AdminFixture first;
    private static AdminFixture second;

    @BeforeAll
    static void startNodesAndBrowser() {
        MemoryCluster cluster = new MemoryCluster();
        first = new AdminFixture("""
                node: {id: node-1}
                admin: {port: 0, token: s3cr3t}
                destinations: [{match: [127.0.0.1], name: partner}]
                """, cluster);
        second = new AdminFixture("node: {id: node-2}\nadmin: {port: 0, docs-url: 'https://docs.example/a/'}", cluster);
        first.fail("failed-1");
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        browser.close();
        first.close();
        second.close();
    }

    @Test
    void linksProblemsAndErrorCodesToTheDocs() {
        // The node reports a problem of a destination for half a minute after its last errors.
        for (int i = 0; i < 4; i++) {
            second.fail("failed-" + i);
        }
        browser.open(second.uri("/"), 1400, 900, false);
        browser.until(() -> browser.find("problem-docs").isDisplayed());
        // The page reads the failures after the status.
        browser.until(() -> !browser.all("#failure-groups a").isEmpty());

        assertThat(browser.find("problem-docs").getDomAttribute("href"))
                .isEqualTo("https://docs.example/a/operations/health-and-metrics.md#what-is-wrong");
        WebElement code = browser.find("failure-groups").findElement(By.tagName("a"));
        assertThat(code.getText()).isEqualTo("connect-refused");
        assertThat(code.getDomAttribute("href")).isEqualTo("https://docs.example/a/errors.md#error-codes");
        assertThat(code.getDomAttribute("rel")).contains("noopener");
    }

    @Test
    void hasNoLinksToTheDocsWithoutTheirAddress() {
        browser.open(first.uri("/"), 1400, 900, false);
        browser.until(() -> !browser.text("#destinations").isEmpty());

        assertThat(browser.all("a[target=_blank]")).hasSize(3).noneMatch(WebElement::isDisplayed);
    }

    @ParameterizedTest
    @CsvSource({
        "/, #cluster-nodes, 1400, false",
        "/, #cluster-nodes, 420, true",
        "/, #destinations, 1400, true",
        "/, #destinations, 420, false",
        "/?destination=partner, #destination-facts, 1400, false",
        "/?destination=partner, #destination-facts, 420, true",
        "/?destination=missing, #destination-unknown, 420, false"
    })
    void fitsTheWindowWithEnoughContrastAndWithoutErrors(String path, String part, int width, boolean dark) {
        browser.open(first.uri(path), width, 900, dark);
        browser.until(() -> !browser.text(part).isEmpty());

        long beyond = (long) browser.run("return document.documentElement.scrollWidth - innerWidth");
        double contrast = ((Number) browser.runLater(ConsoleIT.CONTRAST)).doubleValue();

        assertThat(beyond).isLessThanOrEqualTo(0);
        assertThat(contrast).isGreaterThan(4.5);
        assertThat(browser.log()).isEmpty();
    }
}
