package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import io.iocluster.transport.PauseReason;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests the console in a browser with a real node that makes 100 calls per second. */
class ConsoleIT {

    private static final String PICTURES =
            "return [...document.querySelectorAll('canvas')].map(each => each.toDataURL())";

    private static Browser browser;
    private static AdminFixture fixture;
    private static ScheduledExecutorService sender;

    @BeforeAll
    static void startNodeAndBrowser() {
        fixture = new AdminFixture("node: {id: node-1}\nadmin: {port: 0}\nworkers: {threads: 1, max-in-flight: 50}");
        sender = Executors.newSingleThreadScheduledExecutor();
        sender.scheduleAtFixedRate(() -> call("/delay?ms=100"), 0, 10, TimeUnit.MILLISECONDS);
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        sender.shutdownNow();
        browser.close();
        fixture.close();
    }

    @AfterEach
    void logsNoBrowserErrors() {
        assertThat(browser.log()).isEmpty();
    }

    @Test
    void loadsAndUpdatesItsCharts() {
        open();
        browser.until(() -> browser.text("#state").equals("running"));
        assertThat(browser.text("#node")).isEqualTo("node-1");
        assertThat(browser.all("canvas")).hasSize(5);
        browser.until(() -> browser.all(".chart .value").stream()
                .noneMatch(value -> value.getText().equals("–")));
        List<?> before = (List<?>) browser.run(PICTURES);

        browser.until(() -> ((List<?>) browser.run(PICTURES)).stream().noneMatch(before::contains));

        // A busy machine delays some of the calls.
        browser.until(() -> isBetween(20, 300, browser.text(".chart:nth-child(2) .value")));
        browser.until(() -> isBetween(100, 250, browser.text(".chart:nth-child(5) .value")));
        browser.until(() -> browser.text("#destinations").contains(target()));
        assertThat(browser.text("#workers tbody th")).startsWith("worker-");
    }

    @Test
    void aSliderAndAFieldResizeTheNode() {
        open();
        browser.until(() -> browser.find("in-flight").getDomProperty("value").matches("\\d+"));
        int before = fixture.node.status().maxInFlight();

        browser.find("in-flight-slider").sendKeys(Keys.ARROW_RIGHT.toString().repeat(20));
        int wanted = Integer.parseInt(browser.find("in-flight").getDomProperty("value"));
        browser.find("threads").clear();
        browser.find("threads").sendKeys("3", Keys.ENTER);

        browser.until(() -> fixture.node.status().maxInFlight() == wanted);
        assertThat(wanted).isGreaterThan(before);
        browser.until(() -> browser.all("#workers tbody tr").size() == 3);
        browser.until(() -> browser.text("#outcome").startsWith("Resized: "));
        browser.until(() -> browser.text("#marks").contains("R: resized: in flight from " + before + " to " + wanted));
        browser.until(() -> browser.text("#notices").contains("resized by hand"));
    }

    @Test
    void rejectsANumberOutOfRangeAndShowsTheRange() {
        open();
        browser.until(() -> browser.find("threads").getDomProperty("value").matches("\\d+"));
        int before = fixture.node.status().workers().size();
        browser.find("threads").clear();
        browser.find("threads").sendKeys("2000");

        browser.click("apply");

        browser.until(() -> browser.text("#outcome").equals("Threads: a whole number from 0 to 1,024."));
        assertThat(fixture.node.status().workers()).hasSize(before);
    }

    @Test
    void pausesAndResumes() {
        open();
        browser.click("pause");
        browser.until(() -> browser.text("#state").equals("paused"));
        assertThat(fixture.node.status().source().pauseReasons()).contains(PauseReason.OPERATOR);
        browser.until(() -> browser.text("#problem-text").contains("An operator paused the node"));
        assertThat(browser.text("#health")).isEqualTo("paused");
        assertThat(browser.find("problem").isDisplayed()).isTrue();

        browser.click("resume");

        browser.until(() -> browser.text("#state").equals("running"));
        browser.until(() -> !browser.find("problem").isDisplayed());
        assertThat(fixture.node.status().source().pauseReasons()).doesNotContain(PauseReason.OPERATOR);
    }

    @Test
    void asksForConfirmationBeforeItDrains() {
        try (AdminFixture other = new AdminFixture("admin: {port: 0}")) {
            browser.open(other.uri("/"), 1280, 900, false);
            browser.click("drain");
            browser.find("drain-cancel").click();
            assertThat(browser.find("drain-dialog").isDisplayed()).isFalse();
            assertThat(browser.text("#state")).isEqualTo("running");

            browser.click("drain");
            browser.find("drain-confirm").click();

            browser.until(() -> browser.text("#state").equals("stopped"));
            assertThat(browser.find("resume").isEnabled()).isFalse();
            browser.close();
        }
    }

    @Test
    void showsWhichCallsFailed() {
        fixture.fail("the-one-that-failed");
        open();

        browser.until(() -> browser.text("#latest").contains("the-one-that-failed"));

        assertThat(browser.text("#latest")).contains("connect-refused", "127.0.0.1:1");
        assertThat(browser.text("#failure-groups")).contains("connect-refused");
    }

    @Test
    void escapesMarkupFromSenders() {
        fixture.broker.send("{\"id\": \"<img src=x onerror=alert(1)>\", \"url\": \"nowhere\"}");
        open();

        browser.until(() -> browser.text("#latest").contains("<img src=x onerror=alert(1)>"));

        assertThat(browser.all("#latest img")).isEmpty();
    }

    @Test
    void asksForTheTokenIfTheNodeRequiresOne() {
        try (AdminFixture guarded = new AdminFixture("admin: {port: 0, token: s3cr3t}")) {
            browser.open(guarded.uri("/"), 1280, 900, false);
            browser.until(() -> browser.find("token").isDisplayed());
            // The page reads the failures after the status.
            browser.until(() -> browser.text("#failures-none").contains("asks for its token"));
            browser.find("token").sendKeys("s3cr3t", Keys.ENTER);

            browser.click("pause");

            browser.until(() -> browser.text("#state").equals("paused"));
            browser.until(() -> browser.text("#failures-none").equals("No call has failed."));
            assertThat(browser.run("return sessionStorage.getItem('iocluster-token')"))
                    .isEqualTo("s3cr3t");
            assertThat(browser.run("return localStorage.length")).isEqualTo(0L);
            browser.close();
        }
    }

    @Test
    void showsThatTheNodeIsUnreachable() {
        AdminFixture other = new AdminFixture("admin: {port: 0}");
        browser.open(other.uri("/"), 1280, 900, false);
        browser.until(() -> browser.text("#state").equals("running"));
        assertThat(browser.find("unreachable").isDisplayed()).isFalse();

        other.close();

        browser.until(() -> browser.text("#unreachable").startsWith("The node does not answer since"));
        browser.close();
        // The browser logs the failed request by itself.
        assertThat(browser.log()).allMatch(line -> line.contains("net::ERR_"));
    }

    @Test
    void showsTheAdvice() {
        open();
        browser.until(() -> browser.text("#state").equals("running"));
        browser.until(() -> !browser.text("#verdict").isEmpty());
        assertThat(browser.find("tuning").isDisplayed()).isTrue();

        assertThat(browser.runLater("""
                const { TuningPanel } = await import('/console/tuning.js');
                const panel = new TuningPanel(advice => { window.used = advice.maxInFlight; });
                panel.show({
                  mode: 'advise', verdict: 'grow-in-flight', maxInFlight: 600, threads: null, nodes: null,
                  reason: 'the window is full', since: '2026-01-02T03:04:05Z', cpu: 0.31, cpuCeiling: 0.8, lag: 1234,
                  lagTrendPerSecond: 12.5, callsPerSecond: 500.0,
                  steps: [{ at: '2026-01-02T03:04:05Z', setting: 'max-in-flight', before: 50, after: 100, reason: 'it grew' }],
                });
                document.getElementById('verdict-use').click();
                const shown = ['tuning', 'verdict', 'verdict-reason', 'verdict-facts', 'verdict-steps']
                  .map(id => document.getElementById(id)).map(each => (each.id === 'tuning' ? each.hidden : each.textContent));
                panel.show({ mode: 'off', verdict: 'hold' });
                return [...shown, window.used, document.getElementById('tuning').hidden].join('|');
                """).toString().replaceAll("\\d+ \\w+ 20\\d\\d, \\d\\d:\\d\\d:\\d\\d", "T"))
                .isEqualTo("false|Raise the calls in flight to 600.|the window is full"
                        + "|advice · since T · CPU 31 % of at most 80 % · lag 1,234, rising by 13/s · 500/s calls"
                        + "|T: max-in-flight from 50 to 100, it grew|600|true");
    }

    @Test
    void saysWhichDestinationFailsAndWhatToDo() {
        try (AdminFixture failing = new AdminFixture("admin: {port: 0}")) {
            for (int i = 0; i < 20; i++) {
                failing.broker.send("{\"url\": \"" + failing.target.url("/status?code=401") + "\"}");
            }
            browser.open(failing.uri("/"), 1280, 900, false);

            browser.until(() -> browser.text("#health").equals("destination failing"));

            assertThat(browser.text("#problem-text")).contains("fails: 100 % of its attempts", "status 401");
            assertThat(browser.text("#problem-action")).startsWith("Check the credential");
            assertThat(browser.find("state").getDomProperty("className")).isEqualTo("state bad");
            browser.close();
        }
    }

    @Test
    void showsTheRateTheErrorsAndTheLatencyOfEachDestination() {
        open();

        browser.until(() -> cellOfTarget(5).matches("[\\d.]+ m?s"));

        browser.until(() -> isBetween(20, 300, cellOfTarget(2)));
        browser.until(() -> cellOfTarget(3).matches("\\d+ %"));
        browser.until(() -> isBetween(100, 250, cellOfTarget(4)));
    }

    /** Returns the text of a cell in the target's row; empty if it has no row yet. */
    private static String cellOfTarget(int column) {
        return (String) browser.run("return [...document.querySelectorAll('#destinations tbody tr')]"
                + ".find(row => row.cells[0].textContent === '" + target() + "')?.cells[" + column
                + "].textContent ?? ''");
    }

    @Test
    void linksProblemsAndErrorCodesToTheDocs() {
        try (AdminFixture documented = new AdminFixture("admin: {port: 0, docs-url: 'https://docs.example/a/'}")) {
            // The node reports a problem of a destination for half a minute after its last errors.
            for (int i = 0; i < 4; i++) {
                documented.fail("failed-" + i);
            }
            browser.open(documented.uri("/"), 1400, 900, false);
            browser.until(() -> browser.find("problem-docs").isDisplayed());
            // The page reads the failures after the status.
            browser.until(() -> !browser.all("#failure-groups a").isEmpty());

            assertThat(browser.find("problem-docs").getDomAttribute("href"))
                    .isEqualTo("https://docs.example/a/operations/health-and-metrics.md#what-is-wrong");
            WebElement code = browser.find("failure-groups").findElement(By.tagName("a"));
            assertThat(code.getText()).isEqualTo("connect-refused");
            assertThat(code.getDomAttribute("href")).isEqualTo("https://docs.example/a/errors.md#error-codes");
            assertThat(code.getDomAttribute("rel")).contains("noopener");
            browser.close();
        }
    }

    @Test
    void hasNoLinksToTheDocsWithoutTheirAddress() {
        open();
        browser.until(() -> !browser.text("#destinations").isEmpty());

        assertThat(browser.all("a[target=_blank]")).hasSize(3).noneMatch(WebElement::isDisplayed);
    }

    @Test
    void sortsDestinationsByAColumn() {
        open();

        assertThat(browser.runLater("""
                const { Table } = await import('/console/table.js');
                const element = document.createElement('table');
                document.body.append(element);
                const table = new Table(element, ['Name', 'Errors'], { sortable: true });
                const row = (name, value) => [name, { text: `${value}`, value }];
                table.show([row('b', 2), row('c', null), row('a', 10)], 2);
                const names = () => [...element.tBodies[0].rows].map(each => each.cells[0].textContent).join('');
                const sorted = () => [...element.tHead.rows[0].cells].map(each => each.getAttribute('aria-sort')).join('');
                const [byName, byErrors] = element.querySelectorAll('button');
                const seen = [names()];
                for (const button of [byErrors, byErrors, byErrors, byName, byName]) {
                  button.click();
                  seen.push(names() + sorted());
                }
                element.remove();
                return seen.join('|');
                """)).isEqualTo("bc|abdescending|baascending|bc|abascending|cbdescending");
    }

    @Test
    void computesTheRatesOfDestinations() {
        open();

        assertThat(browser.runLater("""
                const { DestinationRates } = await import('/console/rates.js');
                const rates = new DestinationRates();
                const state = (attempts, endedAttempts, errors) => [{ name: 'a', attempts, endedAttempts, errors }];
                const calls = (...each) => [{ name: 'a', durations: each.map((calls, i) => ({ upToMillis: 10 ** i, calls })) }];
                const first = rates.add(state(10, 10, 1), calls(10, 0, 0), 1_000);
                const second = rates.add(state(212, 210, 51), calls(10, 198, 2), 3_000);
                const forgotten = rates.add(state(1, 1, 1), [], 5_000);
                return JSON.stringify([first.get('a'), second.get('a'), forgotten.get('a').perSecond]);
                """))
                .isEqualTo("[{\"perSecond\":null,\"errors\":null,\"p50\":null,\"p99\":null},"
                        + "{\"perSecond\":101,\"errors\":0.25,\"p50\":10,\"p99\":10},null]");
    }

    @Test
    void computesRatesAndPercentilesBetweenTwoPolls() {
        open();

        assertThat(browser.runLater("""
                const { between, percentile } = await import('/console/rates.js');
                const figures = (uptimeMillis, cpuMillis, failures, ...calls) => ({
                  uptimeMillis, cpuMillis, failures, cpus: 2, retries: 0, deadLetters: 0,
                  durations: calls.map((each, i) => ({ upToMillis: 10 ** i, calls: each })).filter(each => each.calls > 0),
                });
                const rates = between(figures(1000, 500, 1, 5, 0, 0), figures(3000, 1500, 5, 5, 198, 2));
                const quiet = between(figures(1000, 0, 0, 7), figures(2000, 0, 0, 7));
                return JSON.stringify([
                  rates.callsPerSecond, rates.failuresPerSecond, rates.cpu, rates.p50, rates.p99, quiet.callsPerSecond, quiet.p50,
                  between(figures(5000, 0, 0), figures(1000, 0, 0)),
                  percentile([{ upToMillis: 1, calls: 1 }, { upToMillis: 2, calls: 1 }], 0.5),
                ]);
                """)).isEqualTo("[100,2,0.25,10,10,0,null,null,1]");
    }

    private static void open() {
        browser.open(fixture.uri("/"), 1280, 900, false);
    }

    private static void call(String path) {
        fixture.broker.send("{\"url\": \"" + fixture.target.url(path) + "\"}");
    }

    private static String target() {
        return fixture.target.url("/").replaceAll("^http://|/.*$", "").replaceAll("/$", "");
    }

    private static boolean isBetween(double least, double most, String text) {
        double number = Double.parseDouble(text.replaceAll("[^\\d.]", ""));
        return least <= number && number <= most;
    }
}
