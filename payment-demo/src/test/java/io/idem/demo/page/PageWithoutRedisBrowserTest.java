package io.idem.demo.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.junit.RequiresChromium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the page of {@code ./demo --store inbox} on real servers, of which none is a Redis. */
@Tag("browser")
@RequiresChromium
class PageWithoutRedisBrowserTest {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 860;

    @TempDir
    private static Path directory;

    private static DemoProcess demo;
    private static Browser browser;

    @BeforeAll
    static void start() {
        demo = new DemoProcess(directory, "--store", "inbox");
        browser = new Browser(directory.resolve("profile"));
        browser.view(WIDTH, HEIGHT);
        browser.open(demo.page());
        eventually().until(() -> browser.text("#live-text").equals("Live"));
        eventually().until(() -> browser.all("#machines [data-good=false]").isEmpty());
    }

    @AfterAll
    static void end() {
        browser.close();
        demo.close();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(100));
    }

    private static String press(String action) {
        browser.script("document.getElementById('told').textContent = ''");
        browser.one("[data-action=" + action + "]").click();
        eventually().until(() -> !browser.text("#told").isEmpty());
        return browser.text("#told");
    }

    private static void awaitCompleted(String key) {
        for (String scope : List.of("intake", "payments", "receipts", "risk")) {
            eventually()
                    .until(() -> browser.text("[data-key='" + key + "'] [data-scope=" + scope + "] .state")
                            .equals("COMPLETED"));
        }
    }

    private static String latest() {
        return browser.text("#last").replace("Your latest: ", "");
    }

    @Test
    void thePageHasNoRedisToStop() {
        assertThat(browser.text("#machines")).contains("payments-1").doesNotContain("redis");
        assertThat(browser.one("#redis-button").isDisplayed()).isFalse();
    }

    @Test
    void aRetryIsReplayedAndTheWorkOfAKilledWorkerIsDoneOnce() {
        assertThat(press("send")).contains("202: taken");
        assertThat(press("retry")).contains("202, replayed");
        awaitCompleted(latest());

        assertThat(press("kill-worker")).contains("SIGKILL", "when the lease has ended");
        awaitCompleted(latest());

        eventually().until(() -> browser.text("#rows").equals("2"));
        assertThat(browser.text("#double")).isEqualTo("0");
        assertThat(browser.complaints()).isEmpty();
    }
}
