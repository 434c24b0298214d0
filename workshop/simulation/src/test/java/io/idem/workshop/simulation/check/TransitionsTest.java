package io.idem.workshop.simulation.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransitionsTest {

    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k1"), new Scope("payments"));
    private static final Duration HOUR = Duration.ofHours(1);

    private final History history = new History(new Rules(false, 0, false, false), line -> {});
    private final Transitions transitions = new Transitions(history);

    @Test
    void aRenewalOfAnEarlierGrantThatIsAnsweredOkIsAViolation() {
        unchanged(new RecordUpdate.Renew(lease(3)), record(RecordState.PENDING, 5));

        assertThat(history.violations()).singleElement().asString().contains("was left as it is by Renew of fence 3");
    }

    @Test
    void aRepeatedFailureOfTheSameGrantIsNone() {
        unchanged(new RecordUpdate.Fail(lease(5), Duration.ZERO), record(RecordState.FAILED, 5));

        assertThat(history.violations()).isEmpty();
    }

    private void unchanged(RecordUpdate update, RecordSnapshot found) {
        transitions.settled(update, new StoreAnswer.Ok(StoredResult.NONE), Optional.of(found), Optional.of(found));
    }

    private static Lease lease(long fence) {
        return new Lease(RECORD, OwnerToken.random(new SecureRandom()), fence, 1, HOUR, HOUR);
    }

    private static RecordSnapshot record(RecordState state, long fence) {
        return new RecordSnapshot(
                RECORD.scope(), state, 1, fence, Fingerprint.NONE, Instant.EPOCH, StoredResult.NONE, "");
    }
}
