package io.idem.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.RecordLister;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryingRecordListerTest {

    /** A lister whose first calls find a connection that a firewall has forgotten. */
    private static final class Forgotten implements RecordLister {

        private final int silentCalls;
        private int calls;

        Forgotten(int silentCalls) {
            this.silentCalls = silentCalls;
        }

        @Override
        public Page list(String cursor, int most) {
            if (calls++ < silentCalls) {
                throw new StoreUnavailableException("silent", Execution.UNKNOWN, new IllegalStateException());
            }
            return new Page(List.of(), cursor + "/" + most);
        }

        @Override
        public void close() {}
    }

    @Test
    void aListingIsRepeatedUntilTheStoreAnswers() {
        RecordLister lister = new RetryingRecordLister(new Forgotten(2), RetrySettings.within(Duration.ofMinutes(1)));

        assertThat(lister.list("17", 5).next()).isEqualTo("17/5");
    }

    @Test
    void behindTheBudgetTheFailureIsPassedOn() {
        RecordLister lister = new RetryingRecordLister(new Forgotten(2), RetrySettings.within(Duration.ZERO));

        assertThatThrownBy(() -> lister.list("17", 5)).isInstanceOf(StoreUnavailableException.class);
    }
}
