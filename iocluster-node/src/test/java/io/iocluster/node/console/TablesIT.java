package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests how an operator sorts and filters the console's tables, in a browser with a real node. */
class TablesIT {

    private static Browser browser;
    private static AdminFixture fixture;

    @BeforeAll
    static void startNodeAndBrowser() {
        fixture = new AdminFixture("""
                admin: {port: 0}
                destinations:
                  - {match: [127.0.0.2], name: billing}
                  - {match: [127.0.0.3], name: partner-a}
                  - {match: [127.0.0.4], name: partner-b}
                """);
        fixture.fail("failed-1");
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        browser.close();
        fixture.close();
    }

    @AfterEach
    void logsNoBrowserErrors() {
        assertThat(browser.log()).isEmpty();
    }

    @Test
    void filtersWithTheKeyboardAndKeepsTheWordsInTheAddress() {
        open("/", 1400);
        filter("Filter destinations").sendKeys("Partner -b");

        browser.until(() -> names().equals(List.of("partner-b")));
        assertThat(browser.run("return location.search")).isEqualTo("?find-destinations=Partner+-b");
        assertThat(browser.text("p:has(+ #destinations) [role=status]")).isEqualTo("1 of 4");

        open("/?find-destinations=partner", 1400);

        browser.until(() -> names().equals(List.of("partner-a", "partner-b")));
        filter("Filter destinations").sendKeys(Keys.ESCAPE);
        browser.until(() -> names().size() == 4);
        assertThat(browser.run("return location.search")).isEqualTo("");
    }

    @Test
    void sortsWithTheKeyboardAndKeepsTheColumnInTheAddress() {
        open("/?find-destinations=partner", 1400);
        heading("Destination").sendKeys(Keys.ENTER);
        assertThat(sortOf("Destination")).isEqualTo("ascending");
        heading("Destination").sendKeys(Keys.SPACE);

        browser.until(() -> names().equals(List.of("partner-b", "partner-a")));
        assertThat(sortOf("Destination")).isEqualTo("descending");
        assertThat(browser.run("return location.search"))
                .isEqualTo("?find-destinations=partner&sort-destinations=-destination");

        open("/?sort-destinations=-destination&find-destinations=partner", 1400);

        browser.until(() -> names().equals(List.of("partner-b", "partner-a")));
        assertThat(sortOf("Destination")).isEqualTo("descending");
    }

    @Test
    void offersTheColumnsAsAListOnANarrowScreen() {
        open("/?find-destinations=partner", 420);
        WebElement order = browser.find("destinations")
                .findElement(By.xpath("preceding-sibling::p[1]//label[contains(., 'Sort destinations by')]/select"));
        assertThat(order.isDisplayed()).isTrue();
        assertThat(heading("Destination").isDisplayed()).isFalse();

        order.sendKeys(Keys.ARROW_DOWN, Keys.ARROW_DOWN);

        browser.until(() -> names().equals(List.of("partner-b", "partner-a")));
        assertThat((long) browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);
    }

    @Test
    void ignoresAnUnknownColumnInTheAddress() {
        open("/?sort-destinations=no-such-column", 1400);

        browser.until(() -> names().size() == 4);
        assertThat(browser.all("#destinations [aria-sort]")).isEmpty();
    }

    @Test
    void sortsAndFiltersFailuresToo() {
        fixture.broker.send("{\"id\": \"rejected-1\", \"url\": \"nowhere\"}");
        open("/", 1400);
        browser.until(() -> browser.all("#failure-groups tbody tr").size() == 2);
        assertThat(browser.all("#failure-groups th button")).hasSize(6);

        filter("Filter failed calls").sendKeys("REJECTED");

        browser.until(() -> browser.all("#latest tbody tr").size() == 1);
        assertThat(browser.text("#latest tbody tr")).contains("rejected-1").containsPattern("\\d \\w{3,4} 20\\d\\d");
    }

    private static WebElement filter(String label) {
        return browser.all("label").stream()
                .filter(each -> each.getText().trim().equals(label))
                .findFirst()
                .orElseThrow()
                .findElement(By.tagName("input"));
    }

    private static WebElement heading(String name) {
        return browser.find("destinations").findElement(By.xpath(".//th/button[. = '" + name + "']"));
    }

    private static String sortOf(String name) {
        return heading(name).findElement(By.xpath("..")).getDomAttribute("aria-sort");
    }

    private static List<String> names() {
        return browser.all("#destinations tbody th").stream()
                .map(WebElement::getText)
                .toList();
    }

    private static void open(String path, int width) {
        browser.open(fixture.uri(path), width, 900, false);
        browser.until(() -> !names().isEmpty());
    }
}
