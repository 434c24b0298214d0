package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the delay after which duplicates at an intake are told to come back. */
class UsualDurationsTest extends ExecutorFixture {

    private final Operation request = operation.atIntake();

    private void worksFor(Duration time, String key) throws Exception {
        worksFor(executor, time, key);
    }

    private void worksFor(IdempotentExecutor by, Duration time, String key) throws Exception {
        by.execute(
                Operation.of(IdempotencyKey.of(key), request.record().scope(), POLICY)
                        .atIntake(),
                context -> {
                    scripted.advance(time);
                    return done();
                });
    }

    private Duration toldAfter(Duration sinceTheGrant, Operation duplicate) throws Exception {
        return toldAfter(executor, sinceTheGrant, duplicate);
    }

    private Duration toldAfter(IdempotentExecutor by, Duration sinceTheGrant, Operation duplicate) throws Exception {
        someoneElsesLease();
        scripted.advance(sinceTheGrant);
        Outcome<String> told = by.execute(duplicate, context -> done());
        return ((Outcome.InProgress<String>) told).retryAfter();
    }

    @Test
    void aDuplicateIsToldWhatSuchWorkUsuallyTakes() throws Exception {
        worksFor(Duration.ofSeconds(4), "a");
        worksFor(Duration.ofSeconds(4), "b");

        assertThat(toldAfter(Duration.ofSeconds(1), request)).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4100));
    }

    @Test
    void workThatTakesLongCountsAsOftenAsDuplicatesMeetIt() throws Exception {
        worksFor(Duration.ofSeconds(8), "slow");
        for (int i = 0; i < 5; i++) {
            worksFor(Duration.ofMillis(1), "quick-" + i);
        }

        assertThat(toldAfter(Duration.ZERO, request)).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(8));
    }

    @Test
    void quickWorkIsAskedForAfterASecond() throws Exception {
        worksFor(Duration.ofMillis(3), "a");

        assertThat(toldAfter(Duration.ZERO, request)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void nobodyIsToldMoreThanTheRestOfTheLease() throws Exception {
        worksFor(LEASE.dividedBy(2), "a");

        assertThat(toldAfter(LEASE.dividedBy(2).plusSeconds(1), request))
                .isEqualTo(LEASE.dividedBy(2).minusSeconds(1));
    }

    @Test
    void theRestOfTheLeaseOfAnOwnerThatMissedItsRenewalsIsTold() throws Exception {
        worksFor(Duration.ofSeconds(4), "a");
        Duration sinceTheGrant = POLICY.renewEvery().multipliedBy(2).plusSeconds(1);

        assertThat(toldAfter(sinceTheGrant, request)).isEqualTo(LEASE.minus(sinceTheGrant));
    }

    @Test
    void whereNothingIsKnownADuplicateComesBackSoon() throws Exception {
        assertThat(toldAfter(Duration.ofSeconds(1), request)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void anOwnerThatMissedItsRenewalsLeavesTheRestOfTheLease() throws Exception {
        Duration sinceTheGrant = POLICY.renewEvery().multipliedBy(2).plusSeconds(1);

        assertThat(toldAfter(sinceTheGrant, request)).isEqualTo(LEASE.minus(sinceTheGrant));
    }

    @Test
    void aMessageIsDeferredForTheRestOfTheLease() throws Exception {
        worksFor(Duration.ofSeconds(4), "a");

        assertThat(toldAfter(Duration.ofSeconds(1), operation)).isEqualTo(LEASE.minusSeconds(1));
    }

    @Test
    void whatSuchWorkTakesIsKnownWhereObservationsAreDisabled() throws Exception {
        try (IdempotentExecutor unobserved = IdempotentExecutor.on(store)
                .clock(scripted.clock())
                .observations(disabled())
                .build()) {
            worksFor(unobserved, Duration.ofSeconds(4), "a");

            assertThat(toldAfter(unobserved, Duration.ofSeconds(1), request))
                    .isBetween(Duration.ofSeconds(4), Duration.ofMillis(4100));
        }
    }
}
