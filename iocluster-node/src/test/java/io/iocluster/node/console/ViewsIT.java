package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.memory.MemoryCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        second = new AdminFixture("node: {id: node-2}\nadmin: {port: 0}", cluster);
        first.fail("failed-1");
        browser = new Browser();
    }

    @AfterAll
    static void close() {
        browser.close();
        first.close();
        second.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, #cluster-nodes, 1400, false",
        "/, #cluster-nodes, 420, true",
        "/, #destinations, 1400, true",
        "/, #destinations, 420, false",
        "/?destination=partner, #destination-facts, 1400, false",
        "/?destination=partner, #destination-facts, 420, true",
        "/?destination=nobody, #destination-unknown, 420, false"
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
