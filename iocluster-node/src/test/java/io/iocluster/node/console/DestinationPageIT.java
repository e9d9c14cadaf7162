package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.target.TargetServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests the page of one destination, in a browser with a real node. */
class DestinationPageIT {

    private static final TargetServer CATALOG = TargetServer.start("127.0.0.3", 0, 1, false);

    private static Browser browser;
    private static AdminFixture fixture;

    @BeforeAll
    static void startNodeAndBrowser() {
        fixture = new AdminFixture("""
                admin: {port: 0}
                retry: {max-attempts: 1}
                destinations:
                  - {match: [127.0.0.1], name: partner, hedge: {after: p95}}
                  - {match: [127.0.0.2], name: billing}
                  - {match: [127.0.0.3], name: catalog, cache: {ttl: 1h}}
                  - match: [replicated.example]
                    upstreams: {addresses: ["127.0.0.1:1@own", "127.0.0.1:2"], ejection: {consecutive-failures: 1, time: 5m}}
                """);
        fixture.fail("failed-1");
        call(fixture.target.url("/status?code=404"));
        for (int i = 0; i < 4; i++) {
            call(CATALOG.url("/body?bytes=200000"));
        }
        browser = Browser.shared();
    }

    private static void call(String url) {
        int answers = fixture.broker.answers().size();
        fixture.broker.send("{\"url\": \"" + url + "\"}");
        await().until(() -> fixture.broker.answers().size() > answers);
    }

    @AfterAll
    static void close() {
        browser.close();
        fixture.close();
        CATALOG.close();
    }

    @AfterEach
    void logsNoBrowserErrors() {
        assertThat(browser.log()).isEmpty();
    }

    @Test
    void opensWithAClickOnTheRowAndClosesWithTheBackButton() {
        open("/?find-destinations=i");
        WebElement cell = row("billing").findElement(By.xpath("td[1]"));
        cell.click();

        browser.until(() -> browser.text("#destination-title").equals("Destination billing"));
        assertThat(browser.run("return location.search")).isEqualTo("?find-destinations=i&destination=billing");
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("destination-title");
        assertThat(browser.find("destinations").isDisplayed()).isFalse();
        assertThat(browser.find("workers-form").isDisplayed()).isFalse();

        browser.run("history.back()");

        browser.until(() -> browser.find("destinations").isDisplayed());
        assertThat(browser.find("destination-page").isDisplayed()).isFalse();
        assertThat(browser.run("return location.search")).isEqualTo("?find-destinations=i");
    }

    @Test
    void showsFiguresCodesAndFailuresAtItsAddress() {
        browser.open(fixture.uri("/?destination=partner"), 1400, 900, false);

        browser.until(() -> browser.text("#destination-failures").contains("failed-1"));
        assertThat(browser.text("#destination-facts"))
                .contains("Breaker")
                .contains("closed")
                .contains("p95: not known yet")
                .contains("0 (at most 5 % of the calls), of which 0 won");
        browser.until(() -> browser.text("#destination-codes").contains("404"));
        assertThat(browser.text("#destination-codes")).contains("calls without an answer");
        assertThat(browser.all("#destination-charts figure")).hasSize(3);
        // A test that ran before may have paused a destination; the title then begins with that.
        browser.until(() -> browser.run("return document.title").toString().startsWith("partner ·"));

        browser.click("destination-back");

        browser.until(() -> browser.find("destinations").isDisplayed());
        assertThat(browser.run("return location.search")).isEqualTo("");
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("destinations-title");
    }

    @Test
    void showsHowItsCacheAnsweredCalls() {
        browser.open(fixture.uri("/?destination=catalog"), 1400, 900, false);

        browser.until(() -> fact("Calls answered by the cache").equals("75 % of 4"));
        assertThat(fact("of these: hits")).isEqualTo("3");
        assertThat(fact("of these: answered by an identical call")).isEqualTo("0");
        assertThat(fact("of these: confirmed by the target")).isEqualTo("0");
        assertThat(fact("of these: expired, because the target failed")).isEqualTo("0");
        assertThat(fact("Responses refreshed in the background")).isEqualTo("0");
        assertThat(fact("Memory of the cache")).isEqualTo("0.2 MiB of 16.0 MiB");
        assertThat(fact("Entries removed from the full cache")).isEqualTo("0");
        assertThat(fact("Attempts since the start")).isEqualTo("1");
    }

    @Test
    void showsNoCacheOfADestinationWithoutOne() {
        browser.open(fixture.uri("/?destination=partner"), 1400, 900, false);

        browser.until(() -> browser.text("#destination-facts").contains("Breaker"));
        assertThat(browser.text("#destination-facts")).doesNotContain("cache");
    }

    /** Returns the value beside a name in the table; empty if the table does not have the name. */
    private static String fact(String name) {
        return browser.find("destination-facts").findElements(By.xpath(".//tr[th = '" + name + "']/td")).stream()
                .map(WebElement::getText)
                .findFirst()
                .orElse("");
    }

    @Test
    void showsTheUpstreamsOfADestinationThatHasSome() {
        call("http://replicated.example/");
        browser.open(fixture.uri("/?destination=replicated.example"), 1400, 900, false);

        browser.until(() -> browser.text("#destination-upstreams").contains("ejected (consecutive-failures)"));
        assertThat(browser.text("#destination-upstreams"))
                .contains("127.0.0.1:1")
                .contains("own")
                .contains("active")
                .contains("100 %");
        assertThat(browser.all("#destination-upstreams tbody tr")).hasSize(2);

        browser.open(fixture.uri("/?destination=billing"), 1400, 900, false);

        browser.until(() -> browser.text("#destination-facts").contains("Breaker"));
        assertThat(browser.find("destination-upstreams").isDisplayed()).isFalse();
    }

    @Test
    void pausesAndResumesItsDestination() {
        browser.open(fixture.uri("/?destination=billing"), 420, 900, false);
        browser.until(() -> browser.text("#destination-facts").contains("Breaker"));
        assertThat(browser.find("destination-name").isDisplayed()).isFalse();
        browser.find("destination-for").sendKeys("10m", Keys.ENTER);

        browser.until(() -> browser.text("#destination-facts").contains("paused until"));
        assertThat((long) browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);

        browser.find("destination-action").sendKeys("Resume");
        browser.click("destination-apply");

        browser.until(() -> !browser.text("#destination-facts").contains("paused until"));
    }

    @Test
    void saysThatItDoesNotKnowADestination() {
        browser.open(fixture.uri("/?destination=missing"), 1400, 900, false);

        browser.until(() -> browser.text("#destination-unknown").startsWith("The node knows no destination"));
        assertThat(browser.find("destination-facts").isDisplayed()).isFalse();
    }

    private static void open(String path) {
        browser.open(fixture.uri(path), 1400, 900, false);
        browser.until(() -> browser.text("#destinations").contains("billing"));
    }

    private static WebElement row(String name) {
        return browser.find("destinations").findElement(By.xpath(".//tbody/tr[th = '" + name + "']"));
    }
}
