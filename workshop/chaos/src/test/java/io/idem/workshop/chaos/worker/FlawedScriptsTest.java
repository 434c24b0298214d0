package io.idem.workshop.chaos.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the changed scripts still differ from the library's as intended. */
class FlawedScriptsTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(
            value = Flaw.class,
            names = {
                "OWNER_UNCHECKED",
                "DELETE_ON_CLEAR",
                "COUNTER_FENCE",
                "REPEATED_ACQUIRE",
                "TTL_AS_LEASE",
                "STEP_FORGOTTEN"
            })
    void everyTextThatAFlawReplacesIsInItsScriptOnce(Flaw flaw) {
        assertThat(FlawedScripts.write(flaw, directory)).containsExactly("-Xbootclasspath/a:" + directory);
        assertThat(directory.resolve("META-INF/idem/lua")).isNotEmptyDirectory();
    }

    @Test
    void theLibraryAsItIsNeedsNothing() {
        assertThat(FlawedScripts.write(Flaw.NONE, directory)).isEmpty();
        assertThat(Files.exists(directory.resolve("META-INF"))).isFalse();
    }
}
