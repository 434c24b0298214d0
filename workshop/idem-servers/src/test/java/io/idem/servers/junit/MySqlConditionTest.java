package io.idem.servers.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MySqlConditionTest {

    private final AtomicInteger skipped = new AtomicInteger();

    @Test
    void aTestRunsWhereThereIsAMySql() {
        assertThat(decide(true, true)).isFalse();
        assertThat(skipped).hasValue(0);
    }

    @Test
    void aTestIsSkippedAndCountedWhereThereIsNone() {
        assertThat(decide(false, false)).isTrue();
        assertThat(skipped).hasValue(1);
    }

    @Test
    void aTestFailsWhereThereIsNoneAndTheEnvironmentInsists() {
        assertThatThrownBy(() -> decide(false, true))
                .hasMessageContaining("this test")
                .hasMessageContaining("IDEM_MYSQL_URL");
    }

    private boolean decide(boolean available, boolean insisting) {
        return new MySqlCondition(() -> available, () -> insisting)
                .decide("this test", skipped::incrementAndGet)
                .isDisabled();
    }
}
