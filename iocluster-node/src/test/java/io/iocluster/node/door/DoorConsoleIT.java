package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.console.AccessibilityRules;
import io.iocluster.node.console.Browser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Uses the console of a real door in Chromium. */
class DoorConsoleIT {

    private static final String CONSOLE = "/console";

    private static DoorFixture door;
    private static DoorFixture guardedDoor;
    private static Browser browser;

    @BeforeAll
    static void start() {
        door = new DoorFixture(
                "deadline: 5m, apps: [{name: shop, max-in-flight: 1, rate: 500/s}]",
                "http: {timeout: 5m, deadline: 5m, max-timeout: 5m, max-deadline: 5m}\n");
        guardedDoor = new DoorFixture("apps: [{name: shop, token: s3cr3t}]");
        door.post(door.envelope("/delay?ms=300000"), "IOCluster-App", "shop", "Prefer", "respond-async");
        door.post(door.envelope("/ok"), "IOCluster-App", "shop");
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        browser.close();
        door.close();
        guardedDoor.close();
    }

    /** The policy of the page reports each violation as an error. */
    @AfterEach
    void checkTheLog() {
        assertThat(browser.log()).filteredOn(line -> !line.contains("401")).isEmpty();
    }

    @Test
    void showsWhichAppFillsTheDoorAndWhoIsRefused() {
        browser.open(door.uri(CONSOLE), 1400, 900, false);
        browser.until(() -> browser.text("#problems").contains("app-over-quota"));

        assertThat(browser.text("#state")).isEqualTo("ready");
        assertThat(browser.text("#facts")).startsWith("local · version ");
        assertThat(browser.text("#limits")).contains("door.limits.max-in-flight", "1,000", "32 MiB");
        String first = browser.all("#apps tbody tr").get(0).getText().replace('\n', ' ');
        assertThat(first).startsWith("shop 1 1 ").contains("500/s");
        assertThat(browser.all("#apps tbody tr td"))
                .filteredOn(cell -> cell.getText().startsWith("1"))
                .first()
                .satisfies(cell -> assertThat(cell.getDomAttribute("class")).contains("warn"));
    }

    @Test
    void asksForATokenAndDoesNotRepeatAWrongOne() {
        browser.open(guardedDoor.uri(CONSOLE), 1400, 900, false);
        browser.until(() -> browser.find("token").isDisplayed());
        assertThat(browser.text("#token-state")).isEqualTo("The door asks for a token before it shows its status.");

        browser.find("token").sendKeys("wrong\n");
        browser.until(() -> browser.text("#token-state").equals("The token is wrong."));
        browser.find("token").sendKeys("s3cr3t\n");

        browser.until(() -> browser.text("#apps").contains("shop"));
        assertThat(browser.text("#problems")).contains("unknown", "unauthorized");
        assertThat(browser.run("return sessionStorage.length + localStorage.length"))
                .isEqualTo(0L);
    }

    @Test
    void showsHostileTextsAsText() {
        browser.open(door.uri(CONSOLE), 1400, 900, false);
        browser.until(() -> browser.text("#apps").contains("shop"));
        String hostile = "<img src=x onerror=document.title=1>";

        browser.run("""
                const read = window.fetch;
                window.fetch = async (...given) => {
                  const status = await (await read(...given)).json();
                  status.door = status.state = status.problem = status.transport = arguments[0];
                  for (const app of status.apps) {
                    app.name = app.rateLimit = arguments[0];
                    app.problems = [{code: arguments[0], recent: 1, last: status.startedAt}];
                  }
                  return new Response(JSON.stringify(status));
                };
                """.replace("arguments[0]", "'" + hostile + "'"));
        browser.until(() -> browser.text("#problem-text").equals(hostile));

        assertThat(browser.text("#apps")).contains(hostile);
        assertThat(browser.text("#problems")).contains(hostile);
        assertThat(browser.all("img")).isEmpty();
    }

    @Test
    void saysWhenTheDoorDoesNotAnswer() {
        try (DoorFixture stopping = new DoorFixture("")) {
            browser.open(stopping.uri(CONSOLE), 1400, 900, false);
            browser.until(() -> browser.text("#state").equals("ready"));
        }

        browser.until(() -> browser.text("#unreachable").startsWith("The door does not answer since "));
        // Chromium reports each failed request.
        browser.close();
        assertThat(browser.log()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1400, false", "1400, true", "420, false", "420, true"})
    void noViewBreaksARuleOfAccessibility(int width, boolean dark) {
        browser.open(door.uri(CONSOLE), width, 900, dark);
        browser.until(() -> browser.text("#problems").contains("app-over-quota"));

        assertThat(AccessibilityRules.violations(browser)).isEmpty();
    }
}
