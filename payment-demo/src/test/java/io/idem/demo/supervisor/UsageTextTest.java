package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UsageTextTest {

    @Test
    void everyOptionInTheUsageIsUnderstood() throws IOException {
        try (InputStream usage = DemoOptions.class.getResourceAsStream("/usage.txt")) {
            Matcher options = Pattern.compile("(?m)^  (--[a-z-]+)(?: ([A-Z]|[a-z]+))?(?= |$)")
                    .matcher(new String(usage.readAllBytes(), StandardCharsets.UTF_8));
            while (options.find()) {
                List<String> arguments = arguments(options.group(1), options.group(2));
                assertThatCode(() -> DemoOptions.parse(arguments, () -> 1)).doesNotThrowAnyException();
            }
        }
    }

    /** Returns an option with its value: a number where the usage has a capital letter, else the word of the usage. */
    private static List<String> arguments(String option, @Nullable String value) {
        if (value == null) {
            return List.of(option);
        }
        return List.of(option, Character.isUpperCase(value.charAt(0)) ? "1" : value);
    }
}
