package io.iocluster.node.console;

import io.iocluster.node.AdminFixture;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openqa.selenium.Keys;

/**
 * Takes the screenshots of the docs ({@code -Dupdate-docs=true}): a node falls behind until an operator raises its
 * in-flight limit.
 */
@EnabledIfSystemProperty(named = "update-docs", matches = "true")
class ConsolePicturesIT {

    private static final Path IMAGES =
            Path.of(System.getProperty("basedir", ".")).resolve("../docs/images");
    private static final Duration AT_EASE = Duration.ofSeconds(35);
    private static final Duration BEHIND = Duration.ofSeconds(35);
    private static final Duration CATCHING_UP = Duration.ofSeconds(30);

    private static final String NODE = """
            node: {id: node-1}
            admin: {port: 0}
            workers: {threads: 2, max-in-flight: 50, max-waiting: 20000}
            retry: {max-attempts: 1}
            destinations:
              - {match: 127.0.0.1, name: attribution, max-waiting: 20000}
              - {match: 127.0.0.2, name: billing, rate: 200/s}
              - {match: 127.0.0.3, name: partner, max-in-flight: 8, max-waiting: 200}
              - {match: 127.0.0.4, name: warehouse}
            """;

    private final AtomicInteger turn = new AtomicInteger();

    @Test
    void takesTheScreenshots() throws IOException {
        ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
        try (AdminFixture fixture = new AdminFixture(NODE);
                TargetServer billing = TargetServer.start("127.0.0.2", 0, 1, false);
                TargetServer partner = TargetServer.start("127.0.0.3", 0, 1, false);
                Browser browser = Browser.shared()) {
            AtomicInteger attributions = new AtomicInteger(3);
            sender.scheduleAtFixedRate(
                    () -> {
                        int now = turn.incrementAndGet();
                        for (int i = 0; i < attributions.get(); i++) {
                            send(fixture, fixture.target.url("/delay?ms=" + (60 + now * 37 % 80)));
                        }
                        send(fixture, billing.url("/delay?ms=20"));
                        if (now % 6 == 0) {
                            send(fixture, partner.url("/delay?ms=500"));
                        }
                        if (now % 25 == 0) {
                            send(fixture, "http://127.0.0.4:9/stock");
                        }
                    },
                    0,
                    15,
                    TimeUnit.MILLISECONDS);
            browser.open(fixture.uri("/"), 1280, 1240, false);
            browser.pass(AT_EASE);
            attributions.set(7);
            browser.pass(BEHIND);
            browser.find("in-flight").clear();
            browser.find("in-flight").sendKeys("300", Keys.ENTER);
            browser.pass(CATCHING_UP);

            Files.createDirectories(IMAGES);
            Files.write(IMAGES.resolve("console-light.png"), browser.screenshot());
            browser.resize(1280, 1240, true);
            browser.pass(Duration.ofSeconds(2));
            Files.write(IMAGES.resolve("console-dark.png"), browser.screenshot());
            browser.resize(400, 3200, false);
            browser.pass(Duration.ofSeconds(2));
            Files.write(Path.of("target", "console-narrow.png"), browser.screenshot());
        } finally {
            sender.shutdownNow();
        }
    }

    private static void send(AdminFixture fixture, String url) {
        fixture.broker.send("{\"id\": \"" + UUID.randomUUID() + "\", \"url\": \"" + url + "\"}");
    }
}
