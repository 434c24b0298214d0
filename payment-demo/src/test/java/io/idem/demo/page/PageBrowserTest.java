package io.idem.demo.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.servers.junit.RequiresChromium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

/** Presses every button of the page on a demo with real servers, and checks the effects in the ledger. */
@Tag("browser")
@RequiresChromium
class PageBrowserTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DESKTOP_WIDTH = 1280;
    private static final int DESKTOP_HEIGHT = 860;
    private static final int PHONE_WIDTH = 360;
    private static final int PHONE_HEIGHT = 780;

    /**
     * The folder of the screenshots; those in the documents are taken with {@code -Didem.screenshots=../docs/images}.
     */
    private static final Path PICTURES = Path.of(System.getProperty("idem.screenshots", "target/browser"));

    @TempDir
    private static Path directory;

    private static DemoProcess demo;
    private static Browser browser;

    @BeforeAll
    static void start() {
        demo = new DemoProcess(directory);
        browser = new Browser(directory.resolve("profile"));
    }

    @AfterAll
    static void end() {
        browser.close();
        demo.close();
    }

    @BeforeEach
    void open() {
        browser.view(DESKTOP_WIDTH, DESKTOP_HEIGHT);
        browser.prefer("light", "reduce");
        browser.open(demo.page());
        eventually().until(() -> browser.text("#live-text").equals("Live"));
        eventually().until(() -> browser.all("#machines [data-good=false]").isEmpty());
    }

    @AfterEach
    void theLedgerAgreesAndTheConsoleIsSilent() {
        awaitCleanLedger();
        assertThat(browser.text("#lost")).isEqualTo("0");
        assertThat(browser.text("#double")).isEqualTo("0");
        assertThat(browser.text("#rows")).isEqualTo(browser.text("#promised"));
        assertThat(browser.complaints()).isEmpty();
    }

    private static ConditionFactory eventually() {
        return await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100));
    }

    private static void awaitCleanLedger() {
        eventually()
                .until(() -> List.of("clean", "waiting")
                        .contains(browser.one("#verdict").getAttribute("data-verdict")));
    }

    private static int promised() {
        return Integer.parseInt(browser.text("#promised"));
    }

    /** Presses a button and returns what the page answers. */
    private static String press(String action) {
        browser.script("document.getElementById('told').textContent = ''");
        browser.one("[data-action=" + action + "]").click();
        eventually().until(() -> !browser.text("#told").isEmpty());
        return browser.text("#told");
    }

    private static String latest() {
        return browser.text("#last").replace("Your latest: ", "");
    }

    private static String item(String key) {
        return "[data-key='" + key + "'] ";
    }

    private static void awaitCompleted(String key, String... scopes) {
        for (String scope : scopes) {
            eventually()
                    .until(() -> browser.text(item(key) + "[data-scope=" + scope + "] .state")
                            .equals("COMPLETED"));
        }
    }

    private static String sendNew() {
        String before = latest();
        assertThat(press("send")).contains("202: taken");
        eventually().until(() -> !latest().equals(before));
        return latest();
    }

    @Test
    void aPaymentGoesThroughAllStatesAndARetryIsReplayedAndAnotherAmountRefused() {
        int before = promised();
        String key = sendNew();

        assertThat(press("retry")).contains(key, "202, replayed");
        assertThat(press("change")).contains(key, "422");

        awaitCompleted(key, "intake", "payments", "receipts", "risk");
        assertThat(browser.text(item(key) + "[data-scope=payments]")).contains("charge RAN");
        assertThat(browser.text(item(key) + ".replies")).contains("202 taken", "202 replayed", "422 other amount");
        eventually().until(() -> promised() == before + 1);
    }

    @Test
    void aPayoutTakesTheOtherWay() {
        browser.script("document.querySelector('input[value=PAYOUT]').click()");
        String key = sendNew();

        awaitCompleted(key, "intake", "payouts");
    }

    @Test
    void twoRequestsAtOnceTakeEffectOnce() {
        int before = promised();

        assertThat(press("send-twice")).contains("twice at once", "202");

        eventually().until(() -> promised() == before + 1);
        awaitCompleted(latest(), "payments", "receipts", "risk");
    }

    @Test
    void theWorkOfAKilledWorkerIsTakenOverAndTheWorkerComesBack() {
        assertThat(press("kill-worker")).contains("SIGKILL");
        String key = latest();

        eventually().until(() -> browser.text("#machines").contains("coming back"));
        awaitCompleted(key, "payments", "receipts", "risk");
        assertThat(browser.text(item(key) + "[data-scope=payments]")).contains("taken over");
        eventually().until(() -> browser.all("#machines [data-good=false]").isEmpty());
        assertThat(browser.text("#machines")).contains("killed");
    }

    @Test
    void withoutRedisRequestsAreTurnedAwayAndWithItEverythingGoesOn() {
        String paid = sendNew();
        awaitCompleted(paid, "payments", "receipts", "risk");

        assertThat(press("stop-redis")).contains("stopped");
        eventually().until(() -> browser.text("#redis-button").equals("Start Redis"));
        assertThat(press("send")).contains("503");
        assertThat(press("start-redis")).contains("up again");
        eventually().until(() -> browser.text("#redis-button").equals("Stop Redis"));

        eventually().until(() -> press("retry").contains("202"));
        awaitCompleted(latest(), "payments", "receipts", "risk");
    }

    @Test
    void anAmountThatIsNoneIsNotSentAndTheFieldSaysWhy() {
        int before = promised();
        browser.script("document.getElementById('amount').value = 'much'");

        browser.one("[data-action=send]").click();

        assertThat(browser.text("#amount-wrong")).contains("12.50");
        assertThat(browser.script("return document.activeElement.id")).isEqualTo("amount");
        assertThat(promised()).isEqualTo(before);
    }

    @Test
    void everythingCanBeReachedAndPressedWithTheKeyboard() {
        sendNew();
        // Reloads the page, so that the focus is before its first element.
        open();
        String before = latest();
        List<String> reached = new ArrayList<>();
        for (int stop = 0; stop < 12; stop++) {
            browser.press(Keys.TAB);
            reached.add(String.valueOf(browser.script("const at = document.activeElement;"
                    + " return at.dataset.action || at.name || at.id || at.className")));
            if (reached.get(stop).equals("send")) {
                browser.press(Keys.ENTER);
            }
        }

        assertThat(reached)
                .containsSubsequence(
                        "skip",
                        "kind",
                        "amount",
                        "send",
                        "retry",
                        "change",
                        "send-twice",
                        "kill-worker",
                        "stop-redis",
                        "log");
        eventually().until(() -> !latest().equals(before));
        awaitCompleted(latest(), "payments");
    }

    @ParameterizedTest
    @CsvSource({"light, 1280, 860", "dark, 1280, 860", "light, 360, 780", "dark, 360, 780", "light, 900, 900"})
    void nobodyIsShutOutWhateverTheColoursAndTheWidth(String colours, int width, int height) {
        browser.view(width, height);
        browser.prefer(colours, "reduce");
        String key = sendNew();
        awaitCompleted(key, "payments");

        assertThat(browser.barriers()).isEmpty();
        assertThat(browser.script("return document.documentElement.scrollWidth - window.innerWidth"))
                .isEqualTo(0L);
        assertThat(browser.script("return getComputedStyle(document.querySelector('.flow > li')).animationName"))
                .isEqualTo("none");
    }

    @Test
    void theDocumentsShowThePageAsItIs() throws Exception {
        String first = sendNew();
        press("retry");
        press("change");
        press("send-twice");
        press("kill-worker");
        awaitCompleted(latest(), "payments", "receipts", "risk");
        awaitCompleted(first, "payments", "receipts", "risk");
        awaitCleanLedger();
        browser.screenshot(PICTURES.resolve("demo-page.png"));

        browser.view(PHONE_WIDTH, PHONE_HEIGHT);
        browser.prefer("dark", "reduce");
        browser.screenshot(PICTURES.resolve("demo-page-phone.png"));
    }
}
