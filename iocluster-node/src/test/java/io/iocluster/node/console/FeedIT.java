package io.iocluster.node.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import io.iocluster.pipeline.PipelineState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Tests where the console gets its values from: the event stream, or polling while there is none. */
class FeedIT {

    /** Counts the requests to a path that the page has sent since a time of its clock and that have ended. */
    private static final String REQUESTS = """
            return performance.getEntriesByType('resource')
              .filter(each => new URL(each.name).pathname === arguments[0] && each.startTime >= arguments[1]).length
            """;

    /** Answers later requests of the page as a node that stops does. */
    private static final String REFUSE = """
            window.realFetch = window.fetch;
            window.fetch = async () => new Response('{"error": "it stops"}', { status: 503 });
            """;

    /** Reads the history of a destination like its page, and describes the last sample. */
    private static final String LAST_SAMPLE = """
            const { History } = await import('/console/history.js');
            const { NodeHistory } = await import('/console/node-history.js');
            const history = new History(['perSecond', 'errors', 'p50', 'p99']);
            await new NodeHistory(history, 'partner').refresh();
            return JSON.stringify([
              history.times.length >= 3,
              history.column('perSecond').at(-1) > 0,
              history.column('errors').at(-1),
              history.marks.length]);
            """;

    private static Browser browser;

    @BeforeAll
    static void startBrowser() {
        browser = Browser.shared();
    }

    @AfterAll
    static void close() {
        browser.close();
    }

    /** Discards what the browser logged about nodes of other tests. */
    @BeforeEach
    void clearLog() {
        browser.close();
        browser.log();
    }

    @Test
    void theStreamUpdatesThePageWithoutPolling() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}")) {
            open(fixture, "live");
            // The page polled until then, and a poll may be under way.
            double live = pageClock();
            String before = (String) browser.run("return document.querySelector('canvas').toDataURL()");

            fixture.fail("failed-1");
            fixture.node.pause();

            browser.until(() -> browser.text("#state").equals("paused"));
            browser.until(() -> browser.text("#latest").contains("failed-1"));
            browser.until(() -> !before.equals(browser.run("return document.querySelector('canvas').toDataURL()")));
            assertThat(requests("/api/stats", live)).isZero();
            assertThat(requests("/api/failures", live)).isZero();
            browser.close();
            assertThat(browser.log()).isEmpty();
        }
    }

    @Test
    void theNodeSearchesAListThatItShortensAndThePageStaysLive() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0}\n" + destinations(230))) {
            open(fixture, "live");
            double live = pageClock();
            browser.until(() -> browser.text("#destinations-more").startsWith("and 181 more."));
            assertThat(requests("/api/destinations", live)).isZero();
            WebElement filter = browser.find("destinations").findElement(By.xpath("preceding-sibling::p[1]//input"));

            filter.sendKeys("d-229");

            browser.until(() -> names().equals(List.of("d-229")));
            assertThat(browser.text("#destinations-more")).isEmpty();
            filter.sendKeys("0");
            browser.until(() -> browser.text("#destinations-none").equals("No destination contains these words."));
            assertThat(filter.isDisplayed()).isTrue();
            filter.sendKeys(Keys.ESCAPE);
            browser.until(() -> names().size() == 50);
            assertThat(browser.text("#feed")).isEqualTo("live");
            assertThat(requests("/api/stats", live)).isZero();

            browser.open(fixture.uri("/?destination=d-229"), 1400, 900, false);
            browser.until(() -> browser.text("#destination-facts").contains("Attempts since the start"));
            browser.close();
            assertThat(browser.log()).isEmpty();
        }
    }

    @Test
    void theRateOfADestinationFallsToZeroAlthoughNothingChanges() {
        try (AdminFixture fixture = new AdminFixture("""
                admin: {port: 0}
                destinations: [{match: [127.0.0.1], name: partner}]
                """)) {
            open(fixture, "live");
            // The page shows the rate of a call only until its next update.
            browser.until(() -> {
                fixture.broker.send("{\"url\": \"" + fixture.target.url("/ok") + "\"}");
                String rate = rate();
                return rate.endsWith("/s") && !rate.equals("0/s");
            });

            browser.until(() -> rate().equals("0/s"));
            browser.close();
        }
    }

    @Test
    void pollsWhileAllStreamsAreTakenAndReturnsToTheStream() throws IOException {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0, max-event-streams: 1}")) {
            try (Socket other = stream(fixture)) {
                assertThat(other.getInputStream().read()).isEqualTo('H');
                open(fixture, "polling");

                fixture.node.pause();

                browser.until(() -> browser.text("#state").equals("paused"));
                assertThat(browser.text("#feed")).isEqualTo("polling");
                assertThat(browser.find("unreachable").isDisplayed()).isFalse();
            }

            browser.until(() -> browser.text("#feed").equals("live"));
            browser.close();
            // The browser logs the refused requests by itself.
            assertThat(browser.log()).allMatch(line -> line.contains("/api/events") && line.contains("429"));
        }
    }

    @Test
    void saysWhyTheNodeIsLostAndContinuesWithItsSuccessor() {
        AdminFixture fixture = new AdminFixture("admin: {port: 0}");
        open(fixture, "live");
        int port = fixture.node.adminAddress().getPort();

        browser.run(REFUSE);
        fixture.close();

        browser.until(() -> browser.text("#unreachable").startsWith("The node refuses requests (it stops) since"));
        String since = browser.text("#unreachable").replaceFirst(".* since ", "");
        browser.run("window.fetch = window.realFetch");
        browser.until(() -> browser.text("#unreachable").startsWith("The node does not answer since"));
        assertThat(browser.text("#unreachable")).endsWith(since);
        assertThat(browser.text("#feed")).isEmpty();

        try (AdminFixture successor = new AdminFixture("admin: {port: " + port + "}")) {
            browser.until(() -> !browser.find("unreachable").isDisplayed());
            browser.until(() -> browser.text("#feed").equals("live"));
            assertThat(successor.node.status().state()).isNotEqualTo(PipelineState.DRAINING);
            browser.close();
        }
        assertThat(browser.log()).allMatch(line -> line.contains("net::ERR_"));
    }

    @Test
    void opensTheStreamAgainWithTheTokenOfTheOperator() {
        try (AdminFixture fixture = new AdminFixture("admin: {port: 0, token: s3cr3t}")) {
            open(fixture, "live");
            // The page reads the failures after the status.
            browser.until(() -> browser.text("#failures-none").contains("asks for its token"));
            browser.find("token").sendKeys("s3cr3t", Keys.ENTER);
            browser.until(() -> browser.text("#failures-none").equals("No call has failed."));
            browser.until(() -> requests("/api/events", 0) >= 1);

            fixture.fail("failed-1");

            browser.until(() -> browser.text("#latest").contains("failed-1"));
            browser.close();
            assertThat(browser.log()).isEmpty();
        }
    }

    @Test
    void aDestinationsPageShowsWhatTheNodeRemembersWithItsMarks() {
        try (AdminFixture fixture = new AdminFixture("""
                admin: {port: 0}
                destinations: [{match: [127.0.0.1], name: partner, breaker: {enabled: false}}]
                """)) {
            fixture.fail("failed-1");
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                fixture.fail("failed");
                return AdminFixture.json(fixture.get("/api/history?destination=partner"))
                                .get("times")
                                .size()
                        >= 3;
            });
            browser.open(fixture.uri("/?destination=partner"), 1400, 900, false);

            browser.until(() -> browser.text("#destination-marks").startsWith("S: node started at"));

            // The last sample has a call if the calls continue.
            browser.until(() -> {
                fixture.fail("failed");
                return "[true,true,1,1]".equals(browser.runLater(LAST_SAMPLE));
            });
            browser.close();
            assertThat(browser.log()).isEmpty();
        }
    }

    private static void open(AdminFixture fixture, String feed) {
        browser.open(fixture.uri("/"), 1400, 900, false);
        browser.until(() -> browser.text("#feed").equals(feed));
    }

    private static double pageClock() {
        return ((Number) browser.run("return performance.now()")).doubleValue();
    }

    private static long requests(String path, double since) {
        return (long) browser.run(REQUESTS, path, since);
    }

    private static String destinations(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{match: [h%d.example], name: d-%03d}".formatted(i, i))
                .collect(joining(", ", "destinations: [", "]\n"));
    }

    private static List<String> names() {
        return browser.all("#destinations tbody th").stream()
                .map(WebElement::getText)
                .toList();
    }

    private static String rate() {
        return (String) browser.run("return document.querySelector('#destinations tbody tr').cells[2].textContent");
    }

    private static Socket stream(AdminFixture fixture) throws IOException {
        Socket client = new Socket(
                InetAddress.getLoopbackAddress(), fixture.node.adminAddress().getPort());
        client.getOutputStream()
                .write("GET /api/events?parts=status HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        return client;
    }
}
