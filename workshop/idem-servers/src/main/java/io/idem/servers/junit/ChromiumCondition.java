package io.idem.servers.junit;

import io.idem.servers.process.Programs;
import java.util.function.BooleanSupplier;

/** The condition of {@link RequiresChromium}. */
final class ChromiumCondition extends ServerCondition {

    private static final String INSISTING = "IDEM_REQUIRE_CHROMIUM";

    ChromiumCondition() {
        this(ChromiumCondition::isInstalled, () -> isSet(INSISTING));
    }

    ChromiumCondition(BooleanSupplier available, BooleanSupplier insisting) {
        super(
                "Chromium with ChromeDriver",
                "install Debian's chromium and chromium-driver",
                INSISTING,
                available,
                insisting);
    }

    private static boolean isInstalled() {
        return Programs.find("chromium").isPresent()
                && Programs.find("chromedriver").isPresent();
    }
}
