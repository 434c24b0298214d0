package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class UsageTextTest {

    @Test
    void everyOptionInTheUsageIsUnderstood() throws IOException {
        try (InputStream usage = DemoOptions.class.getResourceAsStream("/usage.txt")) {
            Matcher options = Pattern.compile("(?m)^  (--[a-z-]+)( [A-Z])?")
                    .matcher(new String(usage.readAllBytes(), StandardCharsets.UTF_8));
            while (options.find()) {
                List<String> arguments =
                        options.group(2) == null ? List.of(options.group(1)) : List.of(options.group(1), "1");
                assertThatCode(() -> DemoOptions.parse(arguments, () -> 1)).doesNotThrowAnyException();
            }
        }
    }
}
