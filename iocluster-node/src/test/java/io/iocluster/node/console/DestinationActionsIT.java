package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Tests the form that acts on one destination, in a browser with a real node. */
class DestinationActionsIT {

    private static Browser browser;
    private static AdminFixture fixture;

    @BeforeAll
    static void startNodeAndBrowser() {
        fixture = new AdminFixture("admin: {port: 0}\ndestinations: [{match: [127.0.0.1], name: partner}]");
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
    void pausesAndResumesADestinationWithTheKeyboard() {
        open(1280);
        select("pause");
        browser.find("destination-name").sendKeys("partner");
        browser.find("destination-for").sendKeys("10m", Keys.ENTER);

        browser.until(() -> browser.text("#destination-outcome").startsWith("partner: paused until "));
        browser.until(() -> browser.text("#health").equals("destination paused"));
        assertThat(browser.text("#problem-text")).startsWith("An operator paused destination partner until ");
        browser.until(() -> browser.text("#destinations tbody tr").contains("paused until"));

        select("resume");
        browser.click("destination-apply");

        browser.until(() -> browser.text("#destination-outcome").startsWith("partner: no action of an operator"));
        browser.until(() -> !browser.find("problem").isDisplayed());
    }

    @Test
    void showsTheFieldsOfAnActionOnly() {
        open(400);
        select("limit");
        assertThat(browser.find("destination-rate").isDisplayed()).isTrue();
        select("reset-breaker");
        assertThat(browser.find("destination-rate").isDisplayed()).isFalse();
        assertThat(browser.find("destination-for").isDisplayed()).isFalse();
        assertThat((long) browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .isLessThanOrEqualTo(0);
    }

    private static void open(int width) {
        browser.open(fixture.uri("/"), width, 900, false);
        browser.until(() -> browser.text("#destinations").contains("partner"));
    }

    private static void select(String action) {
        browser.run("const field = document.getElementById('destination-action'); field.value = '" + action
                + "'; field.dispatchEvent(new Event('change'));");
    }
}
