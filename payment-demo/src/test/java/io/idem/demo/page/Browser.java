package io.idem.demo.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import io.idem.servers.process.Programs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The Chromium and ChromeDriver of this machine; nothing is downloaded. */
final class Browser implements AutoCloseable {

    private final ChromeDriver driver;

    Browser(Path profile) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium").toFile());
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + profile);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(program("chromedriver").toFile())
                        .build(),
                options);
    }

    private static Path program(String name) {
        return Programs.find(name).orElseThrow();
    }

    /** Sets the size of the view without the frame of the window; a phone is narrower than a window can be. */
    void view(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void prefer(String colours, String motion) {
        List<Map<String, String>> features = List.of(
                Map.of("name", "prefers-color-scheme", "value", colours),
                Map.of("name", "prefers-reduced-motion", "value", motion));
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", features));
    }

    void open(URI page) {
        driver.get(page.toString());
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    WebElement one(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    /** Returns the text of an element; a single script reads it, because the page replaces elements that change. */
    String text(String selector) {
        return String.valueOf(driver.executeScript(
                "const found = document.querySelector(arguments[0]); return found ? found.innerText : ''", selector));
    }

    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    void press(Keys key) {
        driver.switchTo().activeElement().sendKeys(key);
    }

    /** Returns the violations that axe-core finds, as text. */
    List<String> barriers() {
        return new AxeBuilder()
                .analyze(driver).getViolations().stream().map(Browser::words).toList();
    }

    private static String words(Rule rule) {
        return rule.getId() + ": " + rule.getHelp() + " "
                + rule.getNodes().stream().map(node -> node.getHtml()).toList();
    }

    /** Returns the warnings and errors in the console since the last call. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        byte[] png = driver.getScreenshotAs(OutputType.BYTES);
        assertThat(png).isNotEmpty();
        Files.write(file, png);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
