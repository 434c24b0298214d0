package io.idem.consumer.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKeys;
import io.idem.IdempotentExecutor;
import io.idem.Outcome;
import io.idem.consumer.guard.DecidingFixture;
import io.idem.consumer.guard.PolicyExamples;
import io.idem.consumer.guard.PolicyExamples.Order;
import io.idem.consumer.guard.PolicyExamples.Payment;
import io.idem.consumer.guard.PolicyExamples.Receipt;
import io.idem.spi.StoredResult;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/policies.md shows is what compiles, and works. */
public class PolicyExamplesTest extends DecidingFixture {

    private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void every_example_of_the_page_is_compiled_code() throws Exception {
        String page = Files.readString(Path.of("../docs/policies.md"));
        String code =
                withoutSpace(Files.readString(Path.of("src/test/java/io/idem/consumer/guard/PolicyExamples.java")));
        List<String> examples =
                EXAMPLE.matcher(page).results().map(match -> match.group(1)).toList();

        assertThat(examples)
                .hasSizeGreaterThan(5)
                .allSatisfy(example -> assertThat(code).contains(withoutSpace(example)));
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void the_listeners_of_the_page_are_as_it_says() throws Exception {
        ListenerDefinition payments = definition(PolicyExamples.class, "charge", Payment.class);

        assertThat(payments.rejects(new IOException())).isTrue();
        assertThat(payments.rejects(new ConnectException())).isFalse();
        assertThat(new ResultExpression("#result.status() == 'DECLINED'").holdsFor(new Receipt("DECLINED")))
                .isTrue();
        assertThat(definition(PolicyExamples.class, "order", String.class).keys())
                .asString()
                .startsWith("key fields");
    }

    @Test
    void the_plain_code_of_the_page_works() throws Exception {
        try (IdempotentExecutor executor = new IdempotentExecutor(memory, List::of, List.of())) {
            Order order = new Order("c1", 7);

            assertThat(PolicyExamples.keyOf(order).value())
                    .isEqualTo(IdempotencyKeys.ofFields(Map.of("customer", "c1", "number", 7)));
            assertThat(PolicyExamples.transfer(executor, PolicyExamples.keyOf(order)))
                    .isEqualTo(new Outcome.Executed<>("sent", StoredResult.NONE));
            assertThat(PolicyExamples.transfer(executor, PolicyExamples.keyOf(order)))
                    .isEqualTo(new Outcome.Replayed<>(StoredResult.NONE));
        }
    }
}
