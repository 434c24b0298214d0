package io.idem.test.fuzz;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RememberedSteps.Kind;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.ForcedEnd;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Draws steps: few records and owners, so that they meet often. */
final class Generator {

    /** Much longer than a run takes, so that the clock of a server cannot decide an answer. */
    static final Duration UNIT = Duration.ofMinutes(10);

    private static final int OWNERS = 4;
    private static final String WITH_STEPS = "payments";
    private static final List<String> STEPS = List.of("charge", "charge#1", "charge#12", "order");
    private static final int LARGE = 4_000;
    private static final int BATCH_EVERY = 8;
    private static final int STEP_EVERY = 4;
    private static final int LARGEST_BATCH = 6;
    private static final int FIRST_SETTLE = 53;
    private static final int REOPENS = 93;
    private static final int FORCES = 96;
    private static final int MOST_UNITS = 4;
    private static final int RETENTION_UNITS = 40;

    private final Random random;
    private final List<OwnerToken> owners;
    private final Map<OwnerToken, Terms> terms = new HashMap<>();

    Generator(Random random) {
        this.random = random;
        this.owners = IntStream.range(0, OWNERS).mapToObj(i -> token()).toList();
    }

    /** The records that steps are about. */
    static List<RecordId> records() {
        return Stream.of("k-1", "k-2", "k-3")
                .flatMap(key -> Stream.of(WITH_STEPS, "receipts")
                        .map(scope -> new RecordId(IdempotencyKey.of(key), new Scope(scope))))
                .toList();
    }

    /** The next step, after {@code grants} grants were given. */
    Step next(int grants, List<RecordId> ofGrants) {
        if (random.nextInt(BATCH_EVERY) == 0) {
            return batch(grants, ofGrants);
        }
        int kind = random.nextInt(100);
        if (grants == 0 || kind < 40) {
            return acquire(grants);
        }
        if (kind < 52) {
            return new Step.Advance(one(records()), UNIT.multipliedBy(1 + random.nextInt(MOST_UNITS)));
        }
        if (kind == 52) {
            return new Step.Advance(one(records()), UNIT.multipliedBy(RETENTION_UNITS));
        }
        if (kind == REOPENS && random.nextBoolean()) {
            return new Step.Erase(one(records()));
        }
        int grant = grant(grants);
        if (hasSteps(ofGrants.get(grant)) && random.nextInt(STEP_EVERY) != 0) {
            return step(grant, ofGrants.get(grant));
        }
        return kind < FORCES ? settle(kind, grant, ofGrants.get(grant)) : force(grant, ofGrants.get(grant));
    }

    private Step force(int grant, RecordId record) {
        return new Step.Force(
                record,
                grant,
                random.nextInt(3) == 0 ? 1 : 0,
                one(List.of(ForcedEnd.values())),
                UNIT.multipliedBy(RETENTION_UNITS));
    }

    private Step batch(int grants, List<RecordId> ofGrants) {
        boolean acquires = grants == 0 || random.nextBoolean();
        return new Step.Batch(Stream.generate(() -> acquires ? acquire(grants) : settleAny(grants, ofGrants))
                .limit(1 + random.nextInt(LARGEST_BATCH))
                .toList());
    }

    private Step settleAny(int grants, List<RecordId> ofGrants) {
        int grant = grant(grants);
        if (hasSteps(ofGrants.get(grant)) && random.nextBoolean()) {
            return step(grant, ofGrants.get(grant));
        }
        return settle(FIRST_SETTLE + random.nextInt(REOPENS - FIRST_SETTLE), grant, ofGrants.get(grant));
    }

    private Step acquire(int grants) {
        RecordId record = one(records());
        OwnerToken owner = random.nextInt(8) == 0 ? token() : one(owners);
        Terms asked = hasSteps(record) ? terms.computeIfAbsent(owner, unknown -> terms()) : terms();
        return new Step.Acquire(
                record,
                owner,
                asked.lease(),
                asked.retention(),
                one(List.of(Fingerprint.NONE, Fingerprint.NONE, fingerprint("a"), fingerprint("a"), fingerprint("b"))),
                grants > 0 && random.nextInt(4) == 0 ? grant(grants) : -1,
                one(List.of(0, 0, 0, 2, 3)));
    }

    private Terms terms() {
        return new Terms(
                UNIT.multipliedBy(1 + random.nextInt(MOST_UNITS)),
                UNIT.multipliedBy(random.nextInt(4) == 0 ? 1 : RETENTION_UNITS));
    }

    /** The steps of a record expire with it only if an owner who asks again asks for the same: one attempt does. */
    private static boolean hasSteps(RecordId record) {
        return record.scope().name().equals(WITH_STEPS);
    }

    private Step step(int grant, RecordId record) {
        OwnerToken as = random.nextInt(6) == 0 ? one(owners) : Side.GRANTEE;
        if (random.nextInt(3) == 0) {
            return new Step.Recall(record, grant, as);
        }
        boolean begun = random.nextInt(3) == 0;
        return new Step.Remember(
                record,
                grant,
                as,
                one(STEPS),
                begun ? Kind.BEGUN : Kind.DONE,
                begun ? StoredResult.NONE : resultOfStep());
    }

    private StoredResult resultOfStep() {
        return switch (random.nextInt(8)) {
            case 0 -> StoredResult.of("fuzz", new byte[0]);
            case 1 -> StoredResult.OMITTED;
            case 2 -> result(LARGE);
            default -> result();
        };
    }

    private Step settle(int kind, int grant, RecordId record) {
        OwnerToken as = random.nextInt(4) == 0 ? one(owners) : Side.GRANTEE;
        if (kind < 64) {
            return new Step.Renew(record, grant, as);
        }
        if (kind < 76) {
            return new Step.Complete(record, grant, as, result());
        }
        if (kind < 88) {
            int units = random.nextInt(3);
            return new Step.Fail(record, grant, as, UNIT.multipliedBy(units), units > 0 || random.nextBoolean());
        }
        return kind < REOPENS
                ? new Step.Reject(record, grant, as, one(List.of("", "no", "ça suffit")))
                : new Step.Reopen(record, grant, UNIT.multipliedBy(RETENTION_UNITS));
    }

    /** Mostly a recent grant; sometimes one from long ago. */
    private int grant(int grants) {
        int recent = random.nextInt(5) == 0 ? grants : Math.min(grants, 8);
        return grants - 1 - random.nextInt(recent);
    }

    private StoredResult result() {
        StoredResult result = result(random.nextInt(64));
        return random.nextInt(4) == 0 ? StoredResult.NONE : result;
    }

    private StoredResult result(int size) {
        byte[] content = new byte[size];
        random.nextBytes(content);
        return StoredResult.of("fuzz", content);
    }

    private OwnerToken token() {
        byte[] bytes = new byte[OwnerToken.SIZE];
        random.nextBytes(bytes);
        return OwnerToken.ofBytes(bytes);
    }

    private static Fingerprint fingerprint(String payload) {
        return Fingerprint.of(payload.getBytes(StandardCharsets.UTF_8));
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private record Terms(Duration lease, Duration retention) {}
}
