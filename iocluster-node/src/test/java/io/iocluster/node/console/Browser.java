package io.iocluster.node.console;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium that is installed on this machine; nothing is downloaded. The test classes of a JVM share one. Owned by one test class
 * at a time.
 */
public final class Browser implements AutoCloseable {

    private static final String DEVICE = "Emulation.setDeviceMetricsOverride";
    private static final String MEDIA = "Emulation.setEmulatedMedia";

    /** Silences warnings about newer browsers. A strong reference, because the JDK discards unreferenced loggers. */
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private static Browser shared;

    private final ChromeDriver driver;

    /** Returns the browser with an empty page. It ends with the JVM. */
    public static synchronized Browser shared() {
        if (shared == null || !shared.answers()) {
            shared = new Browser();
            Runtime.getRuntime().addShutdownHook(new Thread(shared.driver::quit));
        }
        return shared;
    }

    /** Returns false if the browser has crashed. Empties its log. */
    private boolean answers() {
        try {
            log();
            return true;
        } catch (WebDriverException crashed) {
            return false;
        }
    }

    private Browser() {
        SELENIUM.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium", "chromium-browser", "google-chrome"));
        options.addArguments(
                "--headless=new",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-extensions",
                "--no-first-run",
                "--lang=en-GB",
                "--hide-scrollbars");
        if ("root".equals(System.getProperty("user.name"))) {
            options.addArguments("--no-sandbox"); // The sandbox does not work as root.
        }
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver"))
                .usingAnyFreePort()
                .withSilent(true)
                .build();
        driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(1));
    }

    private static File program(String... names) {
        String path =
                System.getenv("PATH") + File.pathSeparator + "/usr/bin" + File.pathSeparator + "/usr/lib/chromium";
        return Stream.of(names)
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        names[0] + " is needed (Debian: apt-get install chromium chromium-driver)"))
                .toFile();
    }

    /** Opens a page with this window size and color scheme. */
    public void open(URI page, int width, int height, boolean dark) {
        resize(width, height, dark);
        driver.get(page.toString());
    }

    /** Changes the window size and the color scheme of the open page. */
    void resize(int width, int height, boolean dark) {
        driver.executeCdpCommand(
                DEVICE, Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        driver.executeCdpCommand(
                MEDIA,
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    public WebElement find(String id) {
        return driver.findElement(By.id(id));
    }

    public List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    public String text(String css) {
        return driver.findElement(By.cssSelector(css)).getText();
    }

    public void click(String id) {
        until(() -> find(id).isEnabled());
        find(id).click();
    }

    /** Evaluates the body of a function and returns its result. */
    public Object run(String body, Object... arguments) {
        return driver.executeScript(body, arguments);
    }

    /** Evaluates the body of an asynchronous function and returns its result. */
    public Object runLater(String body) {
        return driver.executeAsyncScript("const done = arguments[arguments.length - 1]; (async () => {" + body
                + "})().then(done, e => done('' + e))");
    }

    /** Waits for a state. Polls in this thread, because a driver is confined to one thread. */
    public void until(Callable<Boolean> state) {
        await().pollInSameThread()
                .pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(state);
    }

    /** Lets the page run for this time. */
    void pass(Duration time) {
        await().pollDelay(time).atMost(time.plusMinutes(1)).until(() -> true);
    }

    /** Returns the errors in the browser's log since the previous call. */
    public List<String> log() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::toString)
                .toList();
    }

    public byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** Closes the page, which then stops polling its node, and forgets its token, because a later node may have the same port. */
    @Override
    public void close() {
        driver.executeScript("try { sessionStorage.clear(); } catch (e) { }");
        driver.get("about:blank");
    }
}
