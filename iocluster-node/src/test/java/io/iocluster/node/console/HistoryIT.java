package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Tests what the console's charts show of the time before the page was opened, in a browser with a real node. */
class HistoryIT {

    private static Browser browser;
    private static AdminFixture fixture;

    @BeforeAll
    static void startNodeAndBrowser() {
        fixture = new AdminFixture("admin: {port: 0}");
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
    void aReopenedPageShowsWhatTheNodeRemembers() {
        await().until(() ->
                AdminFixture.json(fixture.get("/api/history")).get("times").size() >= 2);

        browser.open(fixture.uri("/"), 1280, 900, false);

        browser.until(
                () -> browser.text("#marks").matches("S: node started at \\d+ \\w+ 20\\d\\d, \\d\\d:\\d\\d:\\d\\d"));
        assertThat(browser.runLater("""
                const { History } = await import('/console/history.js');
                const { NodeHistory } = await import('/console/node-history.js');
                const history = new History(['inFlight', 'limit', 'calls', 'cpu']);
                const nodeHistory = new NodeHistory(history);
                await nodeHistory.refresh();
                const before = history.times.length;
                await nodeHistory.refresh();
                const known = name => history.column(name).every(value => value !== null);
                return JSON.stringify([before >= 2, history.times.length - before <= 1, known('limit'), known('calls'), known('cpu')]);
                """)).isEqualTo("[true,true,true,true,true]");
    }

    @Test
    void fillsTheGapsOfThePageAndMarksARestart() {
        browser.open(fixture.uri("/"), 1280, 900, false);

        assertThat(browser.runLater("""
                const { History } = await import('/console/history.js');
                const { NodeHistory } = await import('/console/node-history.js');
                const history = new History(['calls']);
                const nodeHistory = new NodeHistory(history);
                [[1000, 1], [1001, 2], [1005, null], [1010, null], [1020, 3]]
                  .forEach(([seconds, calls]) => history.add(seconds, { calls }));
                const browserIsAheadBy = 50_000;
                nodeHistory.add({
                  now: 980_000,
                  intervalMillis: 5_000,
                  times: [952_000, 957_000, 962_000, 972_000],
                  figures: new Proxy({ callsPerSecond: [7, 8, 9, 10] }, { get: (all, name) => all[name] ?? [0, 0, 0, 0] }),
                  events: [{ at: 955_000, kind: 'started', detail: '' }, { at: 958_000, kind: 'resized', detail: 'a to b' }],
                }, 980_000 + browserIsAheadBy);
                const marks = history.marks.map(each => `${each.seconds} ${each.letter} ${each.text}`);
                return JSON.stringify([history.times, history.column('calls'), marks]);
                """))
                .isEqualTo("[[1000,1001,1007,1012,1020],[1,2,8,9,3],"
                        + "[\"1008 R resized: a to b\",\"1005 S node started\"]]");
    }

    @Test
    void keepsAnHourAndShowsTheChosenPart() {
        browser.open(fixture.uri("/"), 1280, 900, false);

        assertThat(browser.runLater("""
                const { History } = await import('/console/history.js');
                const history = new History(['lag']);
                for (let second = 0; second < 5000; second++) {
                  history.add(second, second % 2 ? { lag: second } : {});
                }
                const lag = history.column('lag');
                const byDefault = history.range();
                history.showLast(3600);
                return JSON.stringify([history.times.length, lag.length, lag.at(-1), lag.at(-2), byDefault, history.range()]);
                """)).isEqualTo("[3601,3601,4999,null,[4399,4999],[1399,4999]]");
    }

    @Test
    void keepsTheChosenTimeInTheAddress() {
        browser.open(fixture.uri("/"), 400, 900, false);
        browser.find("range").sendKeys(Keys.ARROW_DOWN);
        browser.until(() -> browser.run("return location.search").equals("?range=1h"));

        browser.open(fixture.uri("/?range=1h"), 400, 900, false);

        assertThat(browser.find("range").getDomProperty("value")).isEqualTo("1h");
    }
}
